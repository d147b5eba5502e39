import { type Static, Type } from 'typebox'
import {
  Body,
  Line,
  Locale,
  Named,
  Nullable,
  OneOf,
  Resource,
  Text,
  Timestamp,
} from '#lib/schema.ts'
import { TEMPLATE_KINDS } from './placeholders.ts'

const Kind = Named('MailTemplateKind', OneOf(TEMPLATE_KINDS))

export const TemplateParams = Type.Object({ kind: Kind, locale: Locale })

const fields = {
  subject: { ...Line(200), description: 'One line with placeholders, such as `{{invoice}}`' },
  text: {
    ...{ ...Text(5000), minLength: 1 },
    description: 'Plain text with placeholders; an empty line begins a paragraph',
  },
}

export const NewTemplate = Body(fields)

export const Templates = Resource('MailTemplates', {
  data: Type.Array(
    Resource('MailTemplateSummary', {
      kind: Kind,
      name: Type.String({ description: 'Name of the kind, in the language of `Accept-Language`' }),
      languages: Type.Array(Locale, { description: 'Languages with a text of the shop' }),
      unused: Type.Array(Locale, {
        description: 'Languages whose text could not be used for a mail since it was edited',
      }),
    }),
  ),
})

export const TemplateView = Resource('MailTemplate', {
  kind: Kind,
  locale: Locale,
  name: Type.String({ description: 'Name of the kind, in the language of `Accept-Language`' }),
  ...fields,
  isStandard: Type.Boolean({
    description:
      'Whether the shop has no text of its own. The subject is then `{{standard_subject}}`, and the text `{{standard_text}}`',
  }),
  placeholders: Type.Array(
    Resource('MailPlaceholder', {
      name: Type.String(),
      example: Nullable(
        Type.String({ description: 'Its value in the first example; null if it has none there' }),
      ),
    }),
  ),
  fault: Nullable({
    ...Resource('MailTemplateFault', {
      placeholder: Type.String({ description: 'It had no value in a mail' }),
      since: Timestamp,
    }),
    description: 'Set if a mail was sent with the standard text instead since the last edit',
  }),
})
export type TemplateView = Static<typeof TemplateView>

export const TemplatePreviews = Resource('MailTemplatePreviews', {
  data: Type.Array(
    Resource('MailTemplatePreview', {
      subject: Type.String(),
      text: Type.String({ description: 'The whole mail as plain text' }),
      html: Type.String({ description: 'The same as a page' }),
      missing: Nullable(
        Type.String({
          description:
            'The placeholder without a value in this example: the standard text is shown, as it would be sent',
        }),
      ),
    }),
    { description: 'One mail for each example of the kind, the most usual one first' },
  ),
})
