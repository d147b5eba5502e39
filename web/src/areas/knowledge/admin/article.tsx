import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Faulty,
  I,
  Loaded,
  NumberField,
  Page,
  RemoveButton,
  SegmentedControl,
  Select,
  Tag,
  Textarea,
  TextInput,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import { nameOf, titleOf } from './names.ts'
import {
  type Article,
  type ArticleText,
  article,
  articleText,
  CHANGES,
  categories,
  preview,
  textPath,
  versions,
} from './reads.ts'

/** One help article: its text in each language, and its place among the articles. */
export function AdminArticlePage() {
  const { id } = useParams({ from: '/admin/help/$id' })
  return (
    <Loaded isScreen query={useQuery(article(id))}>
      {(it) => <ArticleScreen article={it} />}
    </Loaded>
  )
}

function ArticleScreen({ article: it }: { article: Article }) {
  const { help } = useAdminTexts()
  const [locale, choose] = useState<Locale>(it.texts[0]?.language ?? 'en')
  const own = it.texts.find(({ language }) => language === locale)
  return (
    <Page
      wide
      title={titleOf(it) ?? help.untitled}
      sub={help.audiences[it.audience]}
      actions={
        own?.isLive ? (
          <Button
            component="a"
            href={`/help/${own.slug}?lang=${locale}`}
            target="_blank"
            variant="default"
            rightSection={<I.ArrowUpRight size={16} aria-hidden />}
          >
            {help.seePage}
          </Button>
        ) : null
      }
    >
      <div className="row tools">
        <Select
          aria-label={help.language}
          allowDeselect={false}
          value={locale}
          data={LOCALES.map((value) => ({ value, label: languageName(value) }))}
          onChange={(chosen) => choose(LOCALES.find((known) => known === chosen) ?? locale)}
        />
        {own ? (
          <Tag tone={own.isLive ? 'active' : 'ended'}>
            {help.stateOf(own.isLive, own.hasChanges)}
          </Tag>
        ) : (
          <Tag tone="ended">{help.notWritten}</Tag>
        )}
      </div>
      <div className="stack s24">
        {own ? (
          <WrittenEditor key={locale} article={it} locale={locale} />
        ) : (
          <Editor key={locale} article={it} locale={locale} text={null} />
        )}
        {own ? <Versions id={it.id} locale={locale} /> : null}
        <Place article={it} />
      </div>
    </Page>
  )
}

type EditorProps = { readonly article: Article; readonly locale: Locale }

function WrittenEditor({ article: it, locale }: EditorProps) {
  return (
    <Loaded query={useQuery(articleText(it.id, locale))}>
      {(text) => <Editor article={it} locale={locale} text={text} />}
    </Loaded>
  )
}

function fieldsOf(text: ArticleText | null) {
  return {
    ...{ title: text?.title ?? '', summary: text?.summary ?? '' },
    ...{ slug: text?.slug ?? '', text: text?.text ?? '' },
  }
}

/** The draft of one language; beside it what readers would see, or another language. */
function Editor({ article: it, locale, text }: EditorProps & { text: ArticleText | null }) {
  const { help } = useAdminTexts()
  const mayWrite = useMay()('articles:write')
  const params = textPath(it.id, locale)
  const form = useForm({
    name: `help-text:${it.id}:${locale}`,
    saved: fieldsOf(text),
    call: ({ title, summary, slug, text: markdown }, intent) =>
      client.PUT('/v1/admin/articles/{id}/texts/{locale}', {
        params,
        body: {
          ...{ title: title.trim(), summary: orNull(summary), text: markdown },
          ...(slug.trim() && { slug: slug.trim() }),
        },
        ...intent,
      }),
    edits: text && {
      read: () => client.GET('/v1/admin/articles/{id}/texts/{locale}', { params }),
      fieldsOf,
    },
    changes: CHANGES,
    done: () => told(help.draftSaved),
  })
  const publish = useChange(
    (revision: number, intent) =>
      client.POST('/v1/admin/articles/{id}/texts/{locale}/publish', {
        ...{ params, body: { revision } },
        ...intent,
      }),
    { changes: CHANGES, done: () => told(help.published) },
  )
  const withdraw = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/articles/{id}/texts/{locale}/withdraw', { params, ...intent }),
    { changes: CHANGES, done: () => told(help.withdrawn) },
  )
  const isLive = text?.liveVersion != null
  return (
    <Card title={languageName(locale)}>
      <form className="stack" onSubmit={form.submit}>
        <Faulty fault={form.fault} />
        <div className="grid cols-2">
          <TextInput
            {...form.text('title')}
            lang={locale}
            label={help.titleLabel}
            required
            maxLength={150}
            readOnly={!mayWrite}
          />
          <TextInput
            {...form.text('slug')}
            label={help.slug}
            description={help.slugHint}
            placeholder={text ? '' : help.slugMade}
            maxLength={100}
            readOnly={!mayWrite}
          />
        </div>
        <Textarea
          {...form.text('summary')}
          lang={locale}
          label={help.summary}
          description={help.summaryHint}
          autosize
          maxLength={300}
          readOnly={!mayWrite}
        />
        <div className="grid cols-2">
          <Textarea
            {...form.text('text')}
            lang={locale}
            label={help.text}
            description={help.markdown}
            autosize
            minRows={14}
            maxRows={40}
            maxLength={60_000}
            readOnly={!mayWrite}
          />
          <Beside article={it} locale={locale} text={form.fields.text} />
        </div>
        {mayWrite ? (
          <div className="row">
            <Button
              type="submit"
              variant={form.isChanged ? 'filled' : 'default'}
              disabled={!form.isChanged || form.fields.title.trim() === ''}
              loading={form.isSaving}
            >
              {help.saveDraft}
            </Button>
            {text?.hasChanges && !form.isChanged ? (
              <Button loading={publish.isPending} onClick={() => publish.mutate(text.revision)}>
                {help.publish}
              </Button>
            ) : null}
            {isLive ? (
              <Button
                variant="default"
                loading={withdraw.isPending}
                onClick={() => withdraw.mutate(null)}
              >
                {help.withdraw}
              </Button>
            ) : null}
          </div>
        ) : null}
      </form>
    </Card>
  )
}

type BesideProps = EditorProps & { readonly text: string }

/** What readers would see of a draft, or the same article in another language. */
function Beside({ article: it, locale, text }: BesideProps) {
  const { help } = useAdminTexts()
  const [wanted, choose] = useState<string>('preview')
  const others = it.texts.map(({ language }) => language).filter((other) => other !== locale)
  const shown = others.find((other) => other === wanted)
  return (
    <div className="stack s8">
      <div className="hscroll">
        <SegmentedControl
          aria-label={help.beside}
          value={shown ?? 'preview'}
          data={[
            { value: 'preview', label: help.preview },
            ...others.map((value) => ({ value, label: languageName(value) })),
          ]}
          onChange={choose}
        />
      </div>
      {shown ? (
        <OtherLanguage id={it.id} locale={shown} />
      ) : (
        <Preview text={text} locale={locale} />
      )}
    </div>
  )
}

function OtherLanguage({ id, locale }: { id: string; locale: Locale }) {
  return (
    <Loaded query={useQuery(articleText(id, locale))}>
      {({ title, text }) => (
        <div className="stack s8" lang={locale}>
          <strong>{title}</strong>
          <p className="typed sub">{text}</p>
        </div>
      )}
    </Loaded>
  )
}

/** Debounce of typing before the preview is requested, in ms. */
const PAUSE_MS = 500

/** The API renders the preview with the code that renders the page: it contains no HTML of the author. */
function Preview({ text, locale }: { text: string; locale: Locale }) {
  const { help } = useAdminTexts()
  const mayWrite = useMay()('articles:write')
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error } = useQuery({
    ...preview(settled),
    placeholderData: keepPreviousData,
    enabled: mayWrite && settled.trim() !== '',
  })
  if (!mayWrite || settled.trim() === '') return <p className="sub">{help.previewEmpty}</p>
  if (error) return <p className="sub">{help.previewFailed}</p>
  return (
    <section
      className="rendered"
      aria-label={help.preview}
      lang={locale}
      ref={(node) => {
        if (node) node.innerHTML = data?.html ?? ''
      }}
    />
  )
}

function Versions({ id, locale }: { id: string; locale: Locale }) {
  const { help } = useAdminTexts()
  const { moment } = useFormats()
  const mayWrite = useMay()('articles:write')
  const text = useQuery(articleText(id, locale)).data
  const rows = useQuery(versions(id, locale)).data ?? []
  const params = textPath(id, locale)
  const restore = useChange(
    (number: number, intent) =>
      client.POST('/v1/admin/articles/{id}/texts/{locale}/versions/{number}/restore', {
        params: { path: { ...params.path, number } },
        body: { revision: text?.revision ?? 1 },
        ...intent,
      }),
    { changes: CHANGES, done: () => told(help.published) },
  )
  if (rows.length === 0) return null
  return (
    <Card title={help.versions}>
      <ul className="stack s12">
        {rows.map(({ id: key, number, title, text: content, publishedAt }) => (
          <li key={key} className="stack s8">
            <details className="more-fields">
              <summary>{help.versionOf(number, moment(publishedAt))}</summary>
              <div className="stack s8" lang={locale}>
                <strong>{title}</strong>
                <p className="typed sub">{content}</p>
              </div>
              {mayWrite && number !== text?.liveVersion ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={restore.isPending && restore.variables === number}
                  onClick={() => restore.mutate(number)}
                >
                  {help.restoreVersion(number)}
                </Button>
              ) : null}
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function placeOf({ categoryId, audience, position }: Article) {
  return { categoryId, audience: audience as string, position }
}

/** The category of an article, who reads it, and its place in the order. */
function Place({ article: it }: { article: Article }) {
  const { help } = useAdminTexts()
  const navigate = useNavigate()
  const mayWrite = useMay()('articles:write')
  const known = useQuery(categories).data ?? []
  const params = { path: { id: it.id } }
  const form = useForm({
    name: `help-article:${it.id}`,
    saved: placeOf(it),
    call: ({ categoryId, audience, position }, intent) =>
      client.PATCH('/v1/admin/articles/{id}', {
        params,
        body: {
          ...{ categoryId, position },
          audience: audience === 'customers' ? 'customers' : 'public',
        },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/articles/{id}', { params }), fieldsOf: placeOf },
    changes: CHANGES,
    done: () => told(help.saved),
  })
  if (!mayWrite) return null
  return (
    <Card title={help.place}>
      <form className="stack" onSubmit={form.submit}>
        <Faulty fault={form.fault} />
        <div className="grid cols-2">
          <Select
            {...form.choice('categoryId')}
            label={help.category}
            allowDeselect={false}
            data={known.map((row) => ({ value: row.id, label: nameOf(row) }))}
          />
          <Select
            {...form.choice('audience')}
            label={help.audience}
            allowDeselect={false}
            data={(['public', 'customers'] as const).map((value) => ({
              ...{ value, label: help.audiences[value] },
            }))}
          />
          <NumberField
            name="position"
            label={help.position}
            description={help.positionHint}
            value={form.fields.position}
            error={form.errors.position}
            change={(position) => form.set({ position: position ?? 0 })}
          />
        </div>
        <div className="row">
          <Button type="submit" disabled={!form.isChanged} loading={form.isSaving}>
            {help.save}
          </Button>
          <RemoveButton
            verb={help.archive}
            label={help.archiveThis}
            title={help.archiveArticle}
            call={() => client.DELETE('/v1/admin/articles/{id}', { params })}
            changes={CHANGES}
            told={help.isArchived}
            done={() => void navigate({ to: '/admin/help' })}
          >
            {help.archiveArticleText}
          </RemoveButton>
        </div>
      </form>
    </Card>
  )
}
