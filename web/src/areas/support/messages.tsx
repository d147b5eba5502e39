import type { ReactNode } from 'react'

export type Shown = {
  readonly id: string
  readonly body: string
  /** Who wrote it, and when. */
  readonly head: ReactNode
  /** The files of the message. */
  readonly files: ReactNode
  /** `mine`: written by the reader's side; `note`: for staff only. */
  readonly look: 'mine' | 'theirs' | 'note'
}

type ConversationProps = {
  readonly label: string
  readonly messages: readonly Shown[]
  /** The text in place of a message whose author has deleted their account. */
  readonly deleted: string
}

/** A list of messages, oldest first. */
export function Conversation({ label, messages, deleted }: ConversationProps) {
  return (
    <ol className="talk" aria-label={label}>
      {messages.map(({ id, body, head, files, look }) => (
        <li key={id} className={`said ${look}`}>
          <div className="sub">{head}</div>
          {body === '' ? (
            <p className="dim">{deleted}</p>
          ) : (
            <p className="typed" dir="auto">
              {body}
            </p>
          )}
          {files}
        </li>
      ))}
    </ol>
  )
}
