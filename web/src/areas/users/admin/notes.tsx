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

/** The object of notes: a person, or a service. */
type Noted = { readonly about: 'users' | 'services'; readonly id: string }

const keyOf = ({ about, id }: Noted) => ['admin', 'notes', about, id]

/** The notes of staff about a person or a service, newest first. */
export function Notes({ about, id }: Noted) {
  const { people } = useAdminTexts()
  const mayWrite = useMay()(`${about}:write`)
  const noted = { about, id }
  const list = useList<Note>(keyOf(noted), (where, signal) => {
    const params = { path: { id }, query: { ...where, limit: 10 } }
    return about === 'users'
      ? client.GET('/v1/admin/users/{id}/notes', { params, signal })
      : client.GET('/v1/admin/services/{id}/notes', { params, signal })
  })
  return (
    <Card title={people.notes}>
      <div className="stack">
        {mayWrite ? <NewNote noted={noted} /> : null}
        <Listed list={list} empty={<p className="dim">{people.noNotes}</p>}>
          {(notes) => (
            <ul className="stack">
              {notes.map((note) => (
                <NoteRow key={note.id} {...{ noted, note, mayWrite }} />
              ))}
            </ul>
          )}
        </Listed>
      </div>
    </Card>
  )
}

type RowProps = { readonly noted: Noted; readonly note: Note; readonly mayWrite: boolean }

function NoteRow({ noted, note: { id, text, authorName, createdAt }, mayWrite }: RowProps) {
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
            call={() => {
              const params = { path: { id: noted.id, noteId: id } }
              return noted.about === 'users'
                ? client.DELETE('/v1/admin/users/{id}/notes/{noteId}', { params })
                : client.DELETE('/v1/admin/services/{id}/notes/{noteId}', { params })
            }}
            changes={[keyOf(noted)]}
            told={people.noteRemoved}
          >
            {text}
          </RemoveButton>
        ) : null}
      </div>
    </li>
  )
}

function NewNote({ noted }: { noted: Noted }) {
  const { people } = useAdminTexts()
  const { fields, set, settle } = useDraft(`note:${noted.id}`, { text: '' })
  const add = useChange(
    (text: string, intent) => {
      const params = { path: { id: noted.id } }
      const wanted = { params, body: { text: text.trim() }, ...intent }
      return noted.about === 'users'
        ? client.POST('/v1/admin/users/{id}/notes', wanted)
        : client.POST('/v1/admin/services/{id}/notes', wanted)
    },
    {
      changes: [keyOf(noted)],
      done: (_note, text) => {
        settle({ text }, { text: '' })
        told(people.noteAdded)
      },
    },
  )
  const isEmpty = fields.text.trim() === ''
  return (
    <form
      className="stack s8"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) add.mutate(fields.text)
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
        <Button type="submit" variant="default" disabled={isEmpty} loading={add.isPending}>
          {people.addNote}
        </Button>
      </div>
    </form>
  )
}
