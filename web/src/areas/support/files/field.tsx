import { useRef } from 'react'
import { type AttachmentTexts, usePart } from '../../../texts/parts.ts'
import { Button, I, IconAction, Meter, Notice, useFormats } from '../../../ui/index.ts'
import type { Ready } from './files.tsx'
import { type Chosen, isBeyond, sizeOf, useFileTarget, useUploads } from './uploads.ts'

type FilesFieldProps = { readonly report: (ready: Ready) => void }

/** Chooses the files of a message, and shows how far each of them is. */
export function FilesField({ report }: FilesFieldProps) {
  const words = usePart('attachments').data
  const { fileSize } = useFormats()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { chosen, limits, add, remove, again } = useUploads(report)
  const target = useFileTarget(add)
  if (!words) return null
  const done = chosen.filter(({ stored }) => stored).length
  return (
    <div ref={target} className="stack s8">
      <div className="row gap12 wrap">
        <input
          ref={input}
          type="file"
          multiple
          className="sr"
          tabIndex={-1}
          aria-label={words.attach}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])])
            // The same file can be chosen again.
            currentTarget.value = ''
          }}
        />
        <Button
          ref={button}
          size="xs"
          variant="default"
          leftSection={<I.Upload size={16} stroke={1.75} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {words.attach}
        </Button>
        {limits ? (
          <span className="sub grow least">
            {words.hint(limits.count, fileSize(limits.fileBytes))}
          </span>
        ) : null}
      </div>
      <span role="status" className="sr">
        {chosen.length > 0 ? words.progress(done, chosen.length) : null}
      </span>
      {limits && isBeyond(chosen, limits) ? (
        <Notice
          tone="attention"
          title={
            chosen.length > limits.count
              ? words.tooMany(limits.count)
              : words.tooHeavy(fileSize(limits.messageBytes))
          }
        />
      ) : null}
      {chosen.length > 0 ? (
        <ul className="stack s8" aria-label={words.list}>
          {chosen.map((it) => (
            <Line
              key={it.key}
              it={it}
              words={words}
              largest={limits?.fileBytes ?? sizeOf([it])}
              again={() => again(it)}
              remove={() => {
                remove(it.key)
                button.current?.focus()
              }}
            />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

type LineProps = {
  readonly it: Chosen
  readonly words: AttachmentTexts
  /** The largest size that a file may have. */
  readonly largest: number
  readonly again: () => void
  readonly remove: () => void
}

function Line({ it, words, largest, again, remove }: LineProps) {
  const { fileSize } = useFormats()
  const { file, sent, stored, fault } = it
  const isTooLarge = fault === 'too_large'
  return (
    <li className="row gap12 attached">
      <div className="grow least">
        <div className="cut" dir="auto">
          {file.name}
        </div>
        <div className="sub">
          {fileSize(file.size)}
          {stored && !stored.blocked ? ` · ${words.stored}` : null}
        </div>
        {stored?.blocked ? <div className="sub faulty">{words.willBlock}</div> : null}
        {fault === null ? null : (
          <div className="sub faulty" role="alert">
            {isTooLarge ? words.tooLarge(fileSize(largest)) : fault}
          </div>
        )}
        {stored || fault !== null ? null : (
          <Meter ratio={Math.min(sent, 0.89)} label={`${words.sending}: ${file.name}`} />
        )}
      </div>
      {fault !== null && !isTooLarge ? (
        <IconAction icon={I.Refresh} label={words.retry(file.name)} onClick={again} />
      ) : null}
      <IconAction icon={I.X} label={words.remove(file.name)} onClick={remove} />
    </li>
  )
}
