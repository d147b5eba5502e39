import { type ComponentProps, useRef } from 'react'
import { Button } from './kit.ts'

type FileButtonProps = Omit<ComponentProps<typeof Button<'button'>>, 'onClick'> & {
  /** The label of the file input. */
  readonly label: string
  /** The accepted file types. */
  readonly accept: string
  readonly choose: (file: File) => void
}

/** A button that opens the file picker. */
export function FileButton({ label, accept, choose, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        className="sr"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) choose(file)
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  )
}
