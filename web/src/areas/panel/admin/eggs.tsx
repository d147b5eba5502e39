import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { nodes } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ChoiceFilter,
  type DataColumn,
  DataList,
  Empty,
  FileButton,
  I,
  Link,
  Page,
  Tag,
  ToggleFilter,
  told,
  useChange,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import type { Egg } from './reads.ts'

/** The eggs of the catalogue. */
export function Eggs() {
  const { panels } = useAdminTexts()
  const texts = panels.eggs
  const { date } = useFormats()
  const mayWrite = useMay()('nodes:write')
  const { search } = useListAddress()
  const known = useQuery(nodes).data?.data ?? []
  const archived = search.archived === 'true'
  const list = useList(['eggs', 'list', search.node, archived], (where, signal) =>
    client.GET('/v1/admin/eggs', {
      params: {
        query: { ...where, limit: 50, archived, ...(search.node && { nodeId: search.node }) },
      },
      signal,
    }),
  )
  const nameOf = (id: string | null) => known.find((it) => it.id === id)?.name
  const columns: readonly DataColumn<Egg>[] = [
    {
      ...{ id: 'name', head: panels.name, value: ({ name }: Egg) => name },
      cell: ({ id, name }) => (
        <Link to="/admin/eggs/$id" params={{ id }} className="rowlink">
          {name}
        </Link>
      ),
    },
    {
      ...{ id: 'source', head: panels.drift.panel, small: 'sub' },
      value: ({ nodeId, source }) => nameOf(nodeId) ?? texts.source[source],
      cell: ({ nodeId, source }) => nameOf(nodeId) ?? texts.source[source],
    },
    {
      ...{ id: 'author', head: texts.author, small: 'hide' },
      value: ({ author }) => author,
      cell: ({ author }) => author ?? '–',
    },
    {
      ...{ id: 'variables', head: texts.variables, right: true, small: 'hide' },
      value: ({ variables }) => variables.length,
      cell: ({ variables }) => variables.length,
    },
    {
      ...{ id: 'read', head: texts.read, small: 'second' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt, archivedAt }) =>
        archivedAt ? <Tag tone="ended">{texts.archived}</Tag> : date(createdAt),
    },
  ]
  return (
    <Page title={texts.title} sub={texts.sub} actions={mayWrite ? <ImportEgg /> : null}>
      <DataList
        name="eggs"
        caption={texts.title}
        list={list}
        columns={columns}
        filters={
          <>
            <ChoiceFilter
              name="node"
              label={panels.drift.panel}
              options={known.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <ToggleFilter name="archived" label={texts.showArchived} />
          </>
        }
        empty={
          <Empty icon={I.Egg} title={texts.none}>
            {texts.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

/** Imports an exported file and opens the new egg. */
function ImportEgg() {
  const { panels } = useAdminTexts()
  const texts = panels.eggs
  const navigate = useNavigate()
  const importing = useChange(
    (file: string, intent) => client.POST('/v1/admin/eggs/import', { body: { file }, ...intent }),
    {
      changes: [['eggs']],
      done: ({ id, name }) => {
        told(texts.imported(name))
        void navigate({ to: '/admin/eggs/$id', params: { id } })
      },
    },
  )
  return (
    <FileButton
      leftSection={<I.Upload size={16} aria-hidden />}
      label={texts.file}
      accept=".json,.yaml,.yml"
      choose={async (file) => importing.mutate(await file.text())}
      title={texts.importText}
      loading={importing.isPending}
    >
      {texts.import}
    </FileButton>
  )
}
