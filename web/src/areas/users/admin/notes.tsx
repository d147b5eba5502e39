import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useDraft } from '../../../api/drafts.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Listed,
  RemoveButton,
  Textarea,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'

type Note = components['schemas']['CustomerNote']

const keyOf = (userId: string) => ['admin', 'people', userId, 'notes']

/** What staff noted about a person, newest first. */
export function Notes({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const mayWrite = useMay()('users:write')
  const list = useList(keyOf(userId), (where, signal) =>
    client.GET('/v1/admin/users/{id}/notes', {
      params: { path: { id: userId }, query: { ...where, limit: 10 } },
      signal,
    }),
  )
  return (
    <Card title={people.notes}>
      <div className="stack">
        {mayWrite ? <NewNote userId={userId} /> : null}
        <Listed list={list} empty={<p className="dim">{people.noNotes}</p>}>
          {(notes) => (
            <ul className="stack">
              {notes.map((note) => (
                <Noted key={note.id} {...{ userId, note, mayWrite }} />
              ))}
            </ul>
          )}
        </Listed>
      </div>
    </Card>
  )
}

type NotedProps = { readonly userId: string; readonly note: Note; readonly mayWrite: boolean }

function Noted({ userId, note: { id, text, authorName, createdAt }, mayWrite }: NotedProps) {
  const { people } = useAdminTexts()
  const { moment } = useFormats()
  const when = moment(createdAt)
  return (
    <li>
      <p className="typed">{text}</p>
      <div className="row between wrap">
        <span className="sub">
          {authorName ?? people.noAuthor} · {when}
        </span>
        {mayWrite ? (
          <RemoveButton
            size="compact-xs"
            verb={people.removeNote}
            label={people.removeNoteOf(when)}
            title={people.removeNoteTitle}
            call={() =>
              client.DELETE('/v1/admin/users/{id}/notes/{noteId}', {
                params: { path: { id: userId, noteId: id } },
              })
            }
            changes={[keyOf(userId)]}
            told={people.noteRemoved}
          >
            {text}
          </RemoveButton>
        ) : null}
      </div>
    </li>
  )
}

function NewNote({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const { fields, set, clear } = useDraft(`note:${userId}`, { text: '' })
  const add = useChange(
    (text: string, intent) =>
      client.POST('/v1/admin/users/{id}/notes', {
        params: { path: { id: userId } },
        body: { text },
        ...intent,
      }),
    {
      changes: [keyOf(userId)],
      done: () => {
        clear()
        told(people.noteAdded)
      },
    },
  )
  const text = fields.text.trim()
  return (
    <form
      className="stack s8"
      onSubmit={(event) => {
        event.preventDefault()
        if (text) add.mutate(text)
      }}
    >
      <Textarea
        label={people.newNote}
        description={people.noteHint}
        autosize
        minRows={2}
        maxLength={4000}
        value={fields.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <div className="row ends">
        <Button type="submit" variant="default" disabled={!text} loading={add.isPending}>
          {people.addNote}
        </Button>
      </div>
    </form>
  )
}
