import { type Static, Type } from 'typebox'
import { Body, Line, Nullable, Resource, Timestamp, textsByLanguage } from '#lib/schema.ts'

const MOST_QUESTIONS = 12

/** Several lines with at least one visible character. */
const Answer = Type.String({
  maxLength: 1500,
  pattern:
    '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*\\S[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
})

const FrontQuestion = Body({ question: Line(160), answer: Answer }, 'FrontQuestion')

/** The texts of one language. */
const FrontText = Body(
  {
    title: Nullable(Line(80)),
    lead: Nullable(Line(300)),
    questions: Type.Array(FrontQuestion, {
      maxItems: MOST_QUESTIONS,
      description: 'With their answers (Markdown), in the order in which they are shown',
    }),
  },
  'FrontText',
)

const FrontTexts = textsByLanguage('FrontTexts', FrontText)

export const FrontPageChange = Body({ texts: FrontTexts })

/** The texts as staff see and change them. */
export const FrontPage = Resource('FrontPage', {
  texts: FrontTexts,
  updatedAt: Nullable(Timestamp),
})
export type FrontPage = Static<typeof FrontPage>

/** The texts as visitors read them. */
export const ShownFrontPage = Resource('ShownFrontPage', {
  language: Nullable(Type.String({ description: 'The language of these texts' })),
  ...FrontText.properties,
})
export type ShownFrontPage = Static<typeof ShownFrontPage>
