import type { components } from '@moorage/client'
import type { Locale } from '@moorage/languages'
import { client, read } from '../../../../api/client.ts'

export type Template = components['schemas']['MailTemplate']
export type TemplateSummary = components['schemas']['MailTemplateSummary']
export type TemplateKind = Template['kind']

const NAME = 'mail-templates'
export const CHANGES = [[NAME], ['admin', 'attention']] as const

export const templates = read([NAME, 'list'], (signal) =>
  client.GET('/v1/admin/mail-templates', { signal }),
)

export const templatePath = (kind: TemplateKind, locale: Locale) => ({ path: { kind, locale } })

export const template = (kind: TemplateKind, locale: Locale) =>
  read([NAME, 'one', kind, locale], (signal) =>
    client.GET('/v1/admin/mail-templates/{kind}/{locale}', {
      params: templatePath(kind, locale),
      signal,
    }),
  )

type Draft = { readonly subject: string; readonly text: string }

export const preview = (kind: TemplateKind, locale: Locale, body: Draft) =>
  read([NAME, 'preview', kind, locale, body], (signal) =>
    client.POST('/v1/admin/mail-templates/{kind}/{locale}/preview', {
      params: templatePath(kind, locale),
      body,
      signal,
    }),
  )
