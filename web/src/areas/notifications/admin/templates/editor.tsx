import type { components } from '@moorage/client'
import { LOCALES, languageName } from '@moorage/languages'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fieldErrors } from '../../../../api/actions.ts'
import { client } from '../../../../api/client.ts'
import { useForm } from '../../../../api/forms.ts'
import { useMay } from '../../../../api/permissions.ts'
import { meta } from '../../../../api/reads.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import {
  Button,
  Card,
  Empty,
  Facts,
  Faulty,
  I,
  Loaded,
  Notice,
  Page,
  RemoveButton,
  Select,
  Tag,
  Textarea,
  TextInput,
  told,
  useChange,
  useFormats,
  useListAddress,
} from '../../../../ui/index.ts'
import { MailPreview } from '../mail-preview.tsx'
import {
  CHANGES,
  preview,
  type Template,
  type TemplateKind,
  template,
  templatePath,
  templates,
} from './reads.ts'

type Draft = { readonly subject: string; readonly text: string }

/** The text of one kind of mail in each language. */
export function MailTemplatePage() {
  const { kind } = useParams({ from: '/admin/mails/texts/$kind' })
  const { mails } = useAdminTexts()
  return (
    <Loaded isScreen query={useQuery(templates)}>
      {({ data }) => {
        const known = data.find((it) => it.kind === kind)
        if (known) return <Screen kind={known.kind} name={known.name} />
        return (
          <Page title={mails.templates.title}>
            <Empty icon={I.Mail} title={mails.templates.unknown} />
          </Page>
        )
      }}
    </Loaded>
  )
}

function Screen({ kind, name }: { kind: TemplateKind; name: string }) {
  const { mails } = useAdminTexts()
  const { search, set } = useListAddress()
  const shopLocale = useQuery(meta).data?.locale
  const named = (wanted: string | undefined) => LOCALES.find((it) => it === wanted)
  const locale = named(search.language) ?? named(shopLocale) ?? 'en'
  const query = useQuery(template(kind, locale))
  return (
    <Page wide title={name} sub={mails.templates.editorSub}>
      <div className="row tools">
        <Select
          aria-label={mails.templates.language}
          allowDeselect={false}
          value={locale}
          data={LOCALES.map((value) => ({ value, label: languageName(value) }))}
          onChange={(language) => set({ language: language ?? locale })}
        />
        {query.data ? (
          <Tag tone={query.data.isStandard ? 'ended' : 'active'}>
            {query.data.isStandard ? mails.templates.standard : mails.templates.own}
          </Tag>
        ) : null}
      </div>
      <Loaded query={query}>{(it) => <Editor key={`${kind} ${locale}`} template={it} />}</Loaded>
    </Page>
  )
}

function Editor({ template: it }: { template: Template }) {
  const { mails } = useAdminTexts()
  const { templates: texts } = mails
  const { moment } = useFormats()
  const mayWrite = useMay()('system:write')
  const { kind, locale, fault } = it
  const params = templatePath(kind, locale)
  const form = useForm({
    name: `mail-template:${kind}:${locale}`,
    saved: { subject: it.subject, text: it.text },
    call: ({ subject, text }, intent) =>
      client.PUT('/v1/admin/mail-templates/{kind}/{locale}', {
        ...{ params, body: { subject: subject.trim(), text } },
        ...intent,
      }),
    edits: {
      read: () => client.GET('/v1/admin/mail-templates/{kind}/{locale}', { params }),
      fieldsOf: ({ subject, text }) => ({ subject, text }),
    },
    changes: CHANGES,
    done: () => told(texts.saved),
  })
  return (
    <div className="stack s24">
      {fault ? (
        <Notice tone="attention" title={texts.faultTitle}>
          {texts.faultText(`{{${fault.placeholder}}}`, moment(fault.since))}
        </Notice>
      ) : null}
      <Card title={languageName(locale)}>
        <form className="stack" onSubmit={form.submit}>
          <Faulty fault={form.fault} />
          <div className="grid cols-2">
            <div className="stack">
              <TextInput
                {...form.text('subject')}
                lang={locale}
                label={mails.subject}
                required
                maxLength={200}
                readOnly={!mayWrite}
              />
              <Textarea
                {...form.text('text')}
                lang={locale}
                label={texts.text}
                description={texts.textHint}
                required
                autosize
                minRows={8}
                maxRows={30}
                maxLength={5000}
                readOnly={!mayWrite}
              />
            </div>
            <Preview template={it} draft={form.fields} />
          </div>
          {mayWrite ? (
            <div className="row wrap">
              <Button
                type="submit"
                variant={form.isChanged ? 'filled' : 'default'}
                disabled={!form.isChanged || form.fields.text.trim() === ''}
                loading={form.isSaving}
              >
                {texts.save}
              </Button>
              {form.isChanged ? (
                <Button variant="default" onClick={form.reset}>
                  {texts.discard}
                </Button>
              ) : (
                <TestButton template={it} />
              )}
              {it.isStandard ? null : <ResetButton template={it} reset={form.reset} />}
            </div>
          ) : null}
        </form>
      </Card>
      <Card title={texts.placeholders}>
        <div className="stack">
          <p className="dim">{texts.placeholdersText}</p>
          <Facts
            left
            rows={it.placeholders.map(({ name, example }) => [
              <span key={name} className="mono">{`{{${name}}}`}</span>,
              <span key={name} lang={locale}>
                {example ?? '–'}
              </span>,
            ])}
          />
        </div>
      </Card>
    </div>
  )
}

function ResetButton({ template: it, reset }: { template: Template; reset: () => void }) {
  const { mails } = useAdminTexts()
  const { templates: texts } = mails
  const params = templatePath(it.kind, it.locale)
  return (
    <RemoveButton
      verb={texts.reset}
      title={texts.resetTitle(it.name)}
      call={(_, intent) =>
        client.DELETE('/v1/admin/mail-templates/{kind}/{locale}', { params, ...intent })
      }
      changes={CHANGES}
      told={texts.resetDone}
      done={reset}
    >
      {texts.resetText}
    </RemoveButton>
  )
}

type Result = components['schemas']['MailTest']

function TestButton({ template: it }: { template: Template }) {
  const { mails } = useAdminTexts()
  const { server } = mails
  const params = templatePath(it.kind, it.locale)
  const [result, show] = useState<Result | null>(null)
  const test = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/mail-templates/{kind}/{locale}/test', { params, ...intent }),
    { changes: [['mail-server']], done: show },
  )
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate(null)}>
        {server.send}
      </Button>
      {result && !test.isPending ? (
        <span role="status">
          {result.ok
            ? server.acceptedText(result.recipient)
            : `${server.notAccepted}: ${result.message}`}
        </span>
      ) : null}
    </>
  )
}

/** Debounce of typing before the preview is requested, in ms. */
const PAUSE_MS = 500

/** Example mails, as the API would send them with these words. */
function Preview({ template: it, draft }: { template: Template; draft: Draft }) {
  const { mails } = useAdminTexts()
  const { templates: texts } = mails
  const { subject, text } = draft
  const [settled, settle] = useState(draft)
  const [chosen, choose] = useState('0')
  useEffect(() => {
    const timer = setTimeout(() => settle({ subject, text }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [subject, text])
  const isEmpty = settled.subject.trim() === '' || settled.text.trim() === ''
  const { data, error } = useQuery({
    ...preview(it.kind, it.locale, settled),
    placeholderData: keepPreviousData,
    enabled: !isEmpty,
    retry: false,
  })
  const examples = data?.data ?? []
  const shown = examples[Number(chosen)] ?? examples[0]
  const [fault] = Object.values(fieldErrors(error))
  return (
    <section className="stack s8" aria-label={mails.preview}>
      {examples.length > 1 ? (
        <Select
          label={texts.example}
          allowDeselect={false}
          value={chosen}
          data={examples.map((_, at) => ({
            value: String(at),
            label: texts.exampleOf(at + 1, examples.length),
          }))}
          onChange={(value) => choose(value ?? '0')}
        />
      ) : null}
      {error ? (
        <Notice tone="failed" title={texts.previewFailed}>
          {fault ?? error.message}
        </Notice>
      ) : null}
      {shown?.missing && !error ? (
        <Notice tone="attention" title={texts.fallsBack}>
          {texts.missing(`{{${shown.missing}}}`)}
        </Notice>
      ) : null}
      {shown && !error ? (
        <div className="stack s8">
          <strong lang={it.locale} className="any">
            {shown.subject}
          </strong>
          <MailPreview html={shown.html} text={shown.text} lang={it.locale} />
        </div>
      ) : null}
    </section>
  )
}
