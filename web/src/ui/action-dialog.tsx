import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Modal } from './dialog.tsx'
import { Button } from './kit.ts'
import { Notice } from './parts.tsx'

type ActionDialogProps = {
  readonly opened: boolean
  readonly close: () => void
  /** The question, with the name of the object. */
  readonly title: string
  /** What the button does, as a verb. */
  readonly action: string
  readonly run: () => void
  readonly isRunning: boolean
  /** The error of the API. */
  readonly error?: Error | null
  readonly isDangerous?: boolean
  /** Whether submitting is disabled; the fields show why. */
  readonly isIncomplete?: boolean
  /** The consequences, then the fields. */
  readonly children: ReactNode
}

/** A dialog with fields: states the consequences, and keeps the input after an error. */
export function ActionDialog(props: ActionDialogProps) {
  const { opened, close, title, action, run, isRunning, error, children } = props
  const { isDangerous = false, isIncomplete = false } = props
  const { common } = useTexts()
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isIncomplete) run()
        }}
      >
        {children}
        {error ? (
          <Notice tone="failed" title={common.refused}>
            {error.message}
          </Notice>
        ) : null}
        <div className="row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button
            type="submit"
            {...(isDangerous && { color: 'red' })}
            loading={isRunning}
            disabled={isIncomplete}
          >
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
