import type { components } from '@moorage/client'
import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  AddLanguage,
  Button,
  Card,
  Confirm,
  Faulty,
  I,
  Listed,
  Page,
  SegmentedControl,
  Textarea,
  told,
  useFormats,
  useListAddress,
  useWrittenLanguages,
} from '../../../ui/index.ts'

type Version = components['schemas']['LegalTextVersion']
type Kind = Version['kind']

const KINDS: readonly Kind[] = ['terms', 'privacy', 'legal', 'withdraw']

/** The legal texts of the shop: the newest version of each is on its page, older ones are kept. */
export function LegalTexts() {
  const { legal } = useAdminTexts()
  const { search, set } = useListAddress()
  const kind = KINDS.find((it) => it === search.view) ?? 'terms'
  return (
    <Page
      title={legal.title}
      sub={legal.sub}
      actions={
        <Button
          component="a"
          href={`/${kind}`}
          target="_blank"
          variant="default"
          rightSection={<I.ArrowUpRight size={16} aria-hidden />}
        >
          {legal.seePage}
        </Button>
      }
    >
      <div className="hscroll tools">
        <SegmentedControl
          aria-label={legal.kind}
          value={kind}
          data={KINDS.map((value) => ({ value, label: legal.kinds[value] }))}
          onChange={(view) => set({ view })}
        />
      </div>
      <Versions key={kind} kind={kind} />
    </Page>
  )
}

function Versions({ kind }: { kind: Kind }) {
  const { legal } = useAdminTexts()
  const { moment } = useFormats()
  const list = useList(['legal-texts', kind], (where, signal) =>
    client.GET('/v1/admin/legal-texts', {
      params: { query: { ...where, limit: 10, kind } },
      signal,
    }),
  )
  return (
    <Listed list={list} empty={<Editor kind={kind} newest={undefined} />}>
      {(versions) => (
        <div className="stack s24">
          <Editor kind={kind} newest={versions[0]} />
          <Card title={legal.versions}>
            <ul className="stack s12">
              {versions.map(({ id, version, publishedAt, texts }) => (
                <li key={id}>
                  <details className="more-fields">
                    <summary>{legal.versionOf(version, moment(publishedAt))}</summary>
                    {Object.entries(texts).map(([language, text]) => (
                      <div key={language} className="stack s8">
                        <h3 className="legend-label">{languageName(language)}</h3>
                        <p className="typed sub" lang={language}>
                          {text}
                        </p>
                      </div>
                    ))}
                  </details>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
    </Listed>
  )
}

function fieldsOf(version: Version | undefined) {
  const entries = LOCALES.map((it) => [it, version?.texts[it] ?? ''] as const)
  return Object.fromEntries(entries) as Readonly<Record<Locale, string>>
}

type Answer = Promise<{ data?: Version | undefined; error?: unknown; response: Response }>

/** The newest version of a text; undefined before the first. */
async function newestOf(kind: Kind): Answer {
  const query = { limit: 1, kind }
  const { data, error, response } = await client.GET('/v1/admin/legal-texts', { params: { query } })
  return { data: data?.data[0], error, response }
}

function Editor({ kind, newest }: { kind: Kind; newest: Version | undefined }) {
  const { legal } = useAdminTexts()
  const mayWrite = useMay()('shop:write')
  const [isAsking, ask] = useState(false)
  const number = (newest?.version ?? 0) + 1
  const form = useForm({
    name: `legal:${kind}`,
    saved: fieldsOf(newest),
    call: (wanted, intent): Answer => {
      const written = LOCALES.filter((it) => wanted[it].trim() !== '')
      const texts = Object.fromEntries(written.map((it) => [it, wanted[it]]))
      return client.POST('/v1/admin/legal-texts', { body: { kind, texts }, ...intent })
    },
    edits: { read: () => newestOf(kind), fieldsOf },
    changes: [['legal-texts'], ['admin', 'readiness']],
    done: () => told(legal.published),
  })
  const isWritten = (locale: Locale) => form.fields[locale].trim() !== ''
  const languages = useWrittenLanguages({ shopLocale: useQuery(meta).data?.locale, isWritten })
  const isEmpty = !LOCALES.some(isWritten)
  return (
    <Card title={newest ? legal.newVersion(number) : legal.firstVersion}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          ask(true)
        }}
      >
        <Faulty fault={form.fault} />
        <p className="dim">{legal.hints[kind]}</p>
        {languages.shown.map((language) => (
          <Textarea
            key={language}
            {...form.text(language)}
            lang={language}
            label={languageName(language)}
            description={legal.markdown}
            autosize
            minRows={6}
            maxRows={24}
            readOnly={!mayWrite}
          />
        ))}
        {mayWrite ? (
          <AddLanguage label={legal.addLanguage} missing={languages.missing} add={languages.add} />
        ) : null}
        {mayWrite ? (
          <div className="row">
            <Button type="submit" disabled={isEmpty || !form.isChanged} loading={form.isSaving}>
              {legal.publish}
            </Button>
            {form.isChanged ? (
              <Button variant="default" onClick={form.reset}>
                {legal.discard}
              </Button>
            ) : null}
          </div>
        ) : null}
      </form>
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        title={legal.publishTitle(number)}
        action={legal.publish}
        run={() => {
          ask(false)
          form.save()
        }}
        isRunning={form.isSaving}
      >
        {kind === 'terms' ? legal.publishTerms : legal.publishText}
      </Confirm>
    </Card>
  )
}
