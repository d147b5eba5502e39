import { type ModalProps, Modal as Plain } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Button } from './kit.ts'

/** A dialog, with a name for the button that closes it. */
export function Modal(props: ModalProps) {
  const { common } = useTexts()
  return <Plain closeButtonProps={{ 'aria-label': common.close }} {...props} />
}

type ConfirmProps = {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  /** What the button does, as a verb. */
  readonly action: string
  readonly run: () => void
  readonly isRunning: boolean
  /** It cannot be undone. */
  readonly isDangerous?: boolean
  readonly children?: ReactNode
}

/** Asks before something with consequences; the focus is on the way back. */
export function Confirm(props: ConfirmProps) {
  const { opened, close, title, action, run, isRunning, isDangerous = false, children } = props
  const { common } = useTexts()
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <div className="dim stack">{children}</div>
      <div className="row ends">
        <Button variant="default" onClick={close} data-autofocus>
          {common.cancel}
        </Button>
        <Button {...(isDangerous && { color: 'red' })} loading={isRunning} onClick={run}>
          {action}
        </Button>
      </div>
    </Modal>
  )
}
