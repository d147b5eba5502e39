import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ArchivedCard,
  Button,
  Card,
  Empty,
  FormDialog,
  I,
  Link,
  Loaded,
  NumberField,
  Page,
  RemoveButton,
  Select,
  Table,
  Tag,
  Textarea,
  TextInput,
  told,
  useChange,
} from '../../../ui/index.ts'
import { nameOf, titleOf } from './names.ts'
import {
  type Article,
  archivedArticles,
  archivedCategoriesKey,
  articles,
  type Category,
  CHANGES,
  categories,
} from './reads.ts'

/** The help articles of the shop, by category in their order. */
export function AdminHelp() {
  const { help } = useAdminTexts()
  const mayWrite = useMay()('articles:write')
  const [editing, edit] = useState<Category | 'new' | null>(null)
  const [isAdding, add] = useState(false)
  const known = useQuery(categories)
  const all = useQuery(articles)
  const archived = useQuery(archivedArticles).data ?? []
  const hasCategories = (known.data?.length ?? 0) > 0
  return (
    <Page
      title={help.title}
      sub={help.sub}
      actions={
        mayWrite ? (
          <>
            <Button variant={hasCategories ? 'default' : 'filled'} onClick={() => edit('new')}>
              {help.addCategory}
            </Button>
            {hasCategories ? (
              <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => add(true)}>
                {help.addArticle}
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      <div className="stack s24">
        <Loaded query={known}>
          {(rows) =>
            rows.length === 0 ? (
              <Card flush>
                <Empty icon={I.Book} title={help.none}>
                  {help.noneText}
                </Empty>
              </Card>
            ) : (
              <Loaded query={all}>
                {(found) => (
                  <div className="stack s24">
                    {rows.map((category) => (
                      <CategoryCard
                        key={category.id}
                        category={category}
                        articles={found.filter(({ categoryId }) => categoryId === category.id)}
                        edit={mayWrite ? () => edit(category) : null}
                      />
                    ))}
                  </div>
                )}
              </Loaded>
            )
          }
        </Loaded>
        {archived.length > 0 ? <Archived articles={archived} /> : null}
        <ArchivedCategories />
      </div>
      {editing ? (
        <CategoryDialog category={editing === 'new' ? null : editing} close={() => edit(null)} />
      ) : null}
      {isAdding ? <ArticleDialog categories={known.data ?? []} close={() => add(false)} /> : null}
    </Page>
  )
}

type CardProps = {
  readonly category: Category
  readonly articles: readonly Article[]
  readonly edit: (() => void) | null
}

function CategoryCard({ category, articles: rows, edit }: CardProps) {
  const { help } = useAdminTexts()
  const name = nameOf(category)
  return (
    <Card
      flush
      title={name}
      right={
        edit ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={help.editCategory(name)}
            onClick={edit}
          >
            {help.edit}
          </Button>
        ) : null
      }
    >
      {rows.length === 0 ? (
        <p className="sub pad">{help.noArticles}</p>
      ) : (
        <Table
          caption={name}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              head: help.article,
              cell: (it) => (
                <Link to="/admin/help/$id" params={{ id: it.id }} className="rowlink">
                  {titleOf(it) ?? help.untitled}
                </Link>
              ),
            },
            {
              ...{ head: help.languages, small: 'second' },
              cell: ({ texts }) => (
                <span className="row">
                  {texts.map(({ language, isLive, hasChanges }) => (
                    <Tag key={language} tone={isLive ? 'active' : 'ended'}>
                      {languageName(language)}: {help.stateOf(isLive, hasChanges)}
                    </Tag>
                  ))}
                </span>
              ),
            },
            {
              ...{ head: help.audience, small: 'sub' },
              cell: ({ audience }) => help.audiences[audience],
            },
            {
              ...{ head: help.helped, right: true, small: 'sub' },
              cell: ({ texts }) => {
                const yes = texts.reduce((sum, { helpful }) => sum + helpful, 0)
                const no = texts.reduce((sum, { unhelpful }) => sum + unhelpful, 0)
                return yes + no === 0 ? null : help.votes(yes, yes + no)
              },
            },
          ]}
        />
      )}
    </Card>
  )
}

function Archived({ articles: rows }: { articles: readonly Article[] }) {
  const { help } = useAdminTexts()
  const mayWrite = useMay()('articles:write')
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/articles/{id}/restore', { params: { path: { id } }, ...intent }),
    { changes: CHANGES, done: () => told(help.restored) },
  )
  return (
    <Card flush title={help.archived}>
      <Table
        caption={help.archived}
        rows={[...rows]}
        rowKey={({ id }) => id}
        columns={[
          { head: help.article, cell: (it) => titleOf(it) ?? help.untitled },
          {
            ...{ head: help.restore, silent: true, right: true, small: 'second' },
            cell: (it) =>
              mayWrite ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={restore.isPending && restore.variables === it.id}
                  aria-label={`${help.restore}: ${titleOf(it) ?? help.untitled}`}
                  onClick={() => restore.mutate(it.id)}
                >
                  {help.restore}
                </Button>
              ) : null,
          },
        ]}
      />
    </Card>
  )
}

/** The archived categories, each of which can be restored; renders nothing if there are none. */
function ArchivedCategories() {
  const { help } = useAdminTexts()
  const mayWrite = useMay()('articles:write')
  const list = useList<Category>(archivedCategoriesKey, (where, signal) =>
    client.GET('/v1/admin/article-categories', {
      params: { query: { archived: true, limit: 50, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/article-categories/{id}/restore', {
        params: { path: { id } },
        ...intent,
      }),
    { changes: CHANGES, done: (category) => told(help.categoryRestored(nameOf(category))) },
  )
  const rows = list.rows?.map((it) => ({ ...it, name: nameOf(it) })) ?? null
  return (
    <ArchivedCard
      texts={{ ...help, archived: help.archivedCategories }}
      list={{ ...list, rows }}
      restore={mayWrite ? restore : null}
    />
  )
}

const DESK = ['en', 'fr'] as const

function fieldsOf(category: Category | null) {
  const texts = (of: Readonly<Record<string, string>> | undefined) =>
    Object.fromEntries(LOCALES.map((it) => [it, of?.[it] ?? ''])) as Readonly<
      Record<Locale, string>
    >
  return {
    ...{ names: texts(category?.names), descriptions: texts(category?.descriptions) },
    ...{ slug: category?.slug ?? '', position: category?.position ?? 0 },
  }
}

const written = (texts: Readonly<Record<Locale, string>>) =>
  Object.fromEntries(
    LOCALES.flatMap((it) => (texts[it].trim() ? [[it, texts[it].trim()] as const] : [])),
  )

type DialogProps = { readonly category: Category | null; readonly close: () => void }

function CategoryDialog({ category, close }: DialogProps) {
  const { help } = useAdminTexts()
  const params = { path: { id: category?.id ?? '' } }
  const form = useForm({
    name: `help-category:${category?.id ?? 'new'}`,
    saved: fieldsOf(category),
    call: ({ names, descriptions, slug, position }, intent) => {
      const body = {
        ...{ names: written(names), descriptions: written(descriptions), position },
        ...(slug.trim() && { slug: slug.trim() }),
      }
      return category
        ? client.PATCH('/v1/admin/article-categories/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/article-categories', { body, ...intent })
    },
    edits: category && {
      read: () => client.GET('/v1/admin/article-categories/{id}', { params }),
      fieldsOf,
    },
    changes: CHANGES,
    done: () => {
      told(help.saved)
      close()
    },
  })
  const { fields, set, text, errors } = form
  const more = LOCALES.filter((it) => !DESK.some((desk) => desk === it))
  const name = (locale: Locale) => (
    <TextInput
      key={locale}
      name={`names.${locale}`}
      label={`${help.name}: ${languageName(locale)}`}
      lang={locale}
      maxLength={100}
      value={fields.names[locale]}
      onChange={(event) => set({ names: { ...fields.names, [locale]: event.target.value } })}
    />
  )
  const description = (locale: Locale) => (
    <Textarea
      key={`${locale} text`}
      name={`descriptions.${locale}`}
      label={`${help.description}: ${languageName(locale)}`}
      lang={locale}
      autosize
      maxLength={500}
      value={fields.descriptions[locale]}
      onChange={(event) =>
        set({ descriptions: { ...fields.descriptions, [locale]: event.target.value } })
      }
    />
  )
  return (
    <FormDialog
      atSide
      title={category ? nameOf(category) : help.addCategory}
      form={form}
      close={close}
      save={help.save}
      isIncomplete={LOCALES.every((it) => fields.names[it].trim() === '')}
      removal={
        category ? (
          <RemoveButton
            verb={help.archive}
            label={help.archive}
            title={help.archiveCategory(nameOf(category))}
            call={() => client.DELETE('/v1/admin/article-categories/{id}', { params })}
            changes={CHANGES}
            told={help.isArchived}
          >
            {help.archiveCategoryText}
          </RemoveButton>
        ) : null
      }
    >
      {DESK.flatMap((it) => [name(it), description(it)])}
      <details className="more-fields">
        <summary>{help.otherLanguages}</summary>
        <div className="stack">{more.flatMap((it) => [name(it), description(it)])}</div>
      </details>
      <TextInput
        {...text('slug')}
        label={help.slug}
        description={help.slugHint}
        placeholder={category ? '' : help.slugMade}
        maxLength={100}
      />
      <NumberField
        name="position"
        label={help.position}
        description={help.positionHint}
        value={fields.position}
        error={errors.position}
        change={(position) => set({ position: position ?? 0 })}
      />
    </FormDialog>
  )
}

type NewProps = { readonly categories: readonly Category[]; readonly close: () => void }

function ArticleDialog({ categories: known, close }: NewProps) {
  const { help } = useAdminTexts()
  const navigate = useNavigate()
  const form = useForm({
    name: 'help-article:new',
    saved: { categoryId: known[0]?.id ?? '', audience: 'public' },
    edits: null,
    changes: CHANGES,
    call: ({ categoryId, audience }, intent) =>
      client.POST('/v1/admin/articles', {
        body: { categoryId, audience: audience === 'customers' ? 'customers' : 'public' },
        ...intent,
      }),
    done: ({ id }) => void navigate({ to: '/admin/help/$id', params: { id } }),
  })
  return (
    <FormDialog
      title={help.addArticle}
      form={form}
      close={close}
      save={help.write}
      isIncomplete={form.fields.categoryId === ''}
    >
      <Select
        {...form.choice('categoryId')}
        label={help.category}
        allowDeselect={false}
        data={known.map((it) => ({ value: it.id, label: nameOf(it) }))}
      />
      <Select
        {...form.choice('audience')}
        label={help.audience}
        allowDeselect={false}
        data={(['public', 'customers'] as const).map((value) => ({
          ...{ value, label: help.audiences[value] },
        }))}
      />
    </FormDialog>
  )
}
