import type { components } from '@moorage/client'
import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  AddLanguage,
  Button,
  Card,
  Faulty,
  Loaded,
  Textarea,
  TextInput,
  told,
  useWrittenLanguages,
} from '../../../ui/index.ts'

type FrontPage = components['schemas']['FrontPage']
type Question = { readonly question: string; readonly answer: string }
type Text = {
  readonly title: string
  readonly lead: string
  readonly questions: readonly Question[]
}
type Fields = Readonly<Record<Locale, Text>>

const MOST_QUESTIONS = 12
const EMPTY: Text = { title: '', lead: '', questions: [] }
const NO_QUESTION: Question = { question: '', answer: '' }

const frontPage = read(['front-page'], (signal) => client.GET('/v1/admin/front-page', { signal }))

/** The shop's own title, introduction and answers on its front page. */
export function FrontPageCard() {
  return <Loaded query={useQuery(frontPage)}>{(it) => <Form page={it} />}</Loaded>
}

function fieldsOf({ texts }: FrontPage): Fields {
  const entries = LOCALES.map((locale): [Locale, Text] => {
    const { title, lead, questions = [] } = texts[locale] ?? {}
    return [locale, { title: title ?? '', lead: lead ?? '', questions }]
  })
  return Object.fromEntries(entries) as Fields
}

const isBlank = ({ question, answer }: Question) => !question.trim() && !answer.trim()
const isWritten = (text: Text) =>
  text.title.trim() !== '' || text.lead.trim() !== '' || !text.questions.every(isBlank)

/** The written texts, as the API takes them. */
function written(fields: Fields): FrontPage['texts'] {
  const entries = LOCALES.filter((it) => isWritten(fields[it])).map((locale) => {
    const { title, lead, questions } = fields[locale]
    const asked = questions.filter((it) => !isBlank(it))
    return [locale, { title: orNull(title), lead: orNull(lead), questions: asked }] as const
  })
  return Object.fromEntries(entries)
}

function Form({ page }: { page: FrontPage }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const mayWrite = useMay()('shop:write')
  const form = useForm<Fields, FrontPage>({
    name: 'front-page',
    saved: fieldsOf(page),
    call: (wanted, intent) =>
      client.PUT('/v1/admin/front-page', { body: { texts: written(wanted) }, ...intent }),
    edits: { read: () => client.GET('/v1/admin/front-page'), fieldsOf },
    changes: [['front-page']],
    done: () => told(common.saved),
  })
  const languages = useWrittenLanguages({
    shopLocale: useQuery(meta).data?.locale,
    isWritten: (locale) => isWritten(form.fields[locale]),
  })
  return (
    <Card title={brand.front.title}>
      <form className="stack form-width" onSubmit={form.submit}>
        <Faulty fault={form.fault} />
        <p className="dim">{brand.front.hint}</p>
        <fieldset className="plain stack s24" disabled={!mayWrite}>
          {languages.shown.map((locale) => (
            <LanguageFields
              key={locale}
              locale={locale}
              text={form.fields[locale] ?? EMPTY}
              error={form.errors[locale]}
              change={(text) => form.set({ [locale]: text })}
            />
          ))}
        </fieldset>
        {mayWrite ? (
          <>
            <AddLanguage
              label={brand.front.addLanguage}
              missing={languages.missing}
              add={languages.add}
            />
            <div className="row">
              <Button type="submit" loading={form.isSaving} disabled={!form.isChanged}>
                {common.save}
              </Button>
            </div>
          </>
        ) : null}
      </form>
    </Card>
  )
}

type LanguageProps = {
  readonly locale: Locale
  readonly text: Text
  readonly error: string | undefined
  readonly change: (text: Text) => void
}

function LanguageFields({ locale, text, error, change }: LanguageProps) {
  const { front } = useAdminTexts().brand
  const { title, lead, questions } = text
  const put = (index: number, entry: Partial<Question>) =>
    change({
      ...text,
      questions: questions.map((it, at) => (at === index ? { ...it, ...entry } : it)),
    })
  return (
    <fieldset className="plain stack" lang={locale}>
      <legend className="legend-label">{languageName(locale)}</legend>
      {error ? <p className="sub">{error}</p> : null}
      <TextInput
        name={`${locale}.title`}
        label={front.headline}
        maxLength={80}
        value={title}
        onChange={({ currentTarget }) => change({ ...text, title: currentTarget.value })}
      />
      <TextInput
        name={`${locale}.lead`}
        label={front.lead}
        description={front.leadHint}
        maxLength={300}
        value={lead}
        onChange={({ currentTarget }) => change({ ...text, lead: currentTarget.value })}
      />
      {questions.map((it, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a question has no identity but its place
        <fieldset key={index} className="plain stack s8">
          <legend className="legend-label">{front.question(index + 1)}</legend>
          <TextInput
            name={`${locale}.question.${index}`}
            aria-label={front.question(index + 1)}
            maxLength={160}
            required={it.answer.trim() !== ''}
            value={it.question}
            onChange={({ currentTarget }) => put(index, { question: currentTarget.value })}
          />
          <Textarea
            name={`${locale}.answer.${index}`}
            label={front.answer}
            description={front.markdown}
            autosize
            minRows={2}
            maxLength={1500}
            required={it.question.trim() !== ''}
            value={it.answer}
            onChange={({ currentTarget }) => put(index, { answer: currentTarget.value })}
          />
          <div className="row">
            <Button
              variant="default"
              size="compact-sm"
              aria-label={front.removeQuestion(index + 1)}
              onClick={() =>
                change({ ...text, questions: questions.filter((_, at) => at !== index) })
              }
            >
              {front.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      {questions.length < MOST_QUESTIONS ? (
        <div className="row">
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => change({ ...text, questions: [...questions, NO_QUESTION] })}
          >
            {front.addQuestion}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
