import type { ButtonProps, ModalProps } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Intent } from '../api/actions.ts'
import { useTexts } from '../texts/index.tsx'
import { useChange } from './change.ts'
import { Button } from './kit.ts'
import { told } from './toast.ts'

const Mounted = lazy(async () => ({ default: (await import('./modal.tsx')).MountedModal }))

/** A dialog, with a name for the button that closes it. Its script is loaded when it is first opened. */
export function Modal(props: ModalProps) {
  const { common } = useTexts()
  if (!useOnceOpened(props.opened)) return null
  return (
    <Suspense>
      <Mounted closeButtonProps={{ 'aria-label': common.close }} {...props} />
    </Suspense>
  )
}

/** Whether something is open, or has been: closing it is animated. */
export function useOnceOpened(opened: boolean): boolean {
  const [wasOpened, setOpened] = useState(opened)
  if (opened && !wasOpened) setOpened(true)
  return opened || wasOpened
}

type OnceProps = {
  readonly title: string
  readonly opened: boolean
  readonly close: () => void
  readonly children: ReactNode
}

/** A dialog with content that is shown only once, such as a secret: a click outside does not close it. */
export function Once({ title, opened, close, children }: OnceProps) {
  return (
    <Modal opened={opened} onClose={close} closeOnClickOutside={false} title={title}>
      <div className="stack">{children}</div>
    </Modal>
  )
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

/** Asks before an action with consequences; the focus is on the cancel button. */
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

type ConfirmButtonProps<Output> = Pick<ButtonProps, 'variant' | 'color' | 'size'> & {
  /** What the button does, as a verb; the dialog's button has the same label. */
  readonly verb: string
  /** The name of the button if the verb is not enough, as in a list. */
  readonly label?: string
  /** The question, with the name of the object. */
  readonly title: string
  readonly call: (
    input: null,
    intent: Intent,
  ) => Promise<{ data?: Output; error?: unknown; response: Response }>
  /** Keys of the reads that the action makes out of date. */
  readonly changes: readonly (readonly unknown[])[]
  /** The toast that is shown when it is done. */
  readonly told?: string
  readonly done?: (output: Output) => void
  readonly isDangerous?: boolean
  /** The consequences. */
  readonly children: ReactNode
}

/** A button that asks before it does something. */
export function ConfirmButton<Output>(props: ConfirmButtonProps<Output>) {
  const { verb, label, title, call, changes, told: message, done, ...others } = props
  const { isDangerous = false, children, ...look } = others
  const [isAsking, ask] = useState(false)
  const action = useChange(call, {
    changes,
    done: (output) => {
      ask(false)
      if (message) told(message)
      done?.(output)
    },
  })
  return (
    <>
      <Button {...look} aria-label={label} onClick={() => ask(true)}>
        {verb}
      </Button>
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        {...{ title, isDangerous, children }}
        action={verb}
        run={() => action.mutate(null)}
        isRunning={action.isPending}
      />
    </>
  )
}

type RemoveButtonProps = Omit<ConfirmButtonProps<unknown>, 'isDangerous' | 'variant' | 'color'>

/** The button that removes the object of a screen or a form. */
export function RemoveButton(props: RemoveButtonProps) {
  return <ConfirmButton isDangerous variant="subtle" color="red" {...props} />
}
