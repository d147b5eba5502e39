import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  ChoiceFilter,
  type DataColumn,
  DataList,
  Empty,
  I,
  Page,
  SearchFilter,
  Tag,
  told,
  useChange,
  useListAddress,
} from '../../../ui/index.ts'
import { REPLIES, type SavedReply } from './reply-reads.ts'

// Most visits only read the list.
const ReplyDialog = lazy(async () => ({
  default: (await import('./reply-dialog.tsx')).ReplyDialog,
}))

/** The texts that staff save for their answers: their own and the shared ones. */
export function SavedReplies() {
  const { replies, tickets } = useAdminTexts()
  const { search } = useListAddress()
  const [editing, edit] = useState<SavedReply | 'new' | null>(null)
  const q = search.q?.trim()
  const archived = search.archived === 'true'
  const list = useList<SavedReply>([...REPLIES, q, archived], (where, signal) =>
    client.GET('/v1/admin/saved-replies', {
      params: { query: { ...where, limit: 50, archived, ...(q && { q }) } },
      signal,
    }),
  )
  return (
    <Page
      title={tickets.savedReplies}
      sub={replies.savedRepliesText}
      actions={
        <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
          {replies.addReply}
        </Button>
      }
    >
      <DataList
        name="saved-replies"
        caption={tickets.savedReplies}
        list={list}
        columns={useColumns(edit, archived)}
        filters={
          <>
            <SearchFilter label={replies.findReply} />
            <ChoiceFilter
              name="archived"
              label={replies.show}
              options={[{ value: 'true', label: tickets.archived }]}
            />
          </>
        }
        empty={
          <Empty icon={I.Lifebuoy} title={replies.noReplies}>
            {replies.noRepliesText}
          </Empty>
        }
      />
      {editing ? (
        <Suspense>
          <ReplyDialog
            key={editing === 'new' ? 'new' : editing.id}
            reply={editing === 'new' ? null : editing}
            close={() => edit(null)}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}

function useColumns(
  edit: (reply: SavedReply) => void,
  archived: boolean,
): readonly DataColumn<SavedReply>[] {
  const { replies, tickets } = useAdminTexts()
  const mayShare = useMay()('support:write')
  const mayEdit = ({ shared }: SavedReply) => !shared || mayShare
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/saved-replies/{id}/restore', { params: { path: { id } }, ...intent }),
    { changes: [REPLIES], done: ({ name }) => told(tickets.restored(name)) },
  )
  return [
    {
      ...{ id: 'name', head: tickets.name, value: ({ name }) => name },
      cell: (it) =>
        mayEdit(it) && !archived ? (
          <button
            type="button"
            className="rowlink"
            aria-label={tickets.editDepartment(it.name)}
            onClick={() => edit(it)}
          >
            {it.name}
          </button>
        ) : (
          it.name
        ),
    },
    {
      ...{ id: 'text', head: replies.replyText, small: 'sub' },
      value: ({ texts }) => Object.values(texts)[0] ?? '',
      cell: ({ texts }) => <span className="dim cut block narrow">{Object.values(texts)[0]}</span>,
    },
    {
      ...{ id: 'used', head: replies.usedBy, small: 'second' },
      value: ({ shared }) => (shared ? replies.sharedReply : replies.ownReply),
      cell: ({ shared }) => (
        <Tag tone={shared ? 'active' : 'waiting'}>
          {shared ? replies.sharedReply : replies.ownReply}
        </Tag>
      ),
    },
    ...(archived
      ? [
          {
            ...{ id: 'restore', head: tickets.restore, silent: true, right: true },
            small: 'second',
            cell: (it: SavedReply) =>
              mayEdit(it) ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={restore.isPending && restore.variables === it.id}
                  aria-label={`${tickets.restore}: ${it.name}`}
                  onClick={() => restore.mutate(it.id)}
                >
                  {tickets.restore}
                </Button>
              ) : null,
          } as const,
        ]
      : []),
  ]
}
