import { type ReactNode, useState } from 'react'
import { fieldErrors, type Intent, useAction } from '../api/actions.ts'
import { inputsOf } from '../api/forms.ts'
import { useTexts } from '../texts/index.tsx'
import { Modal } from './dialog.tsx'
import { Button } from './kit.ts'
import { type Icon, Notice } from './parts.tsx'
import { told } from './toast.ts'

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

type Answer<Output> = Promise<{ data?: Output; error?: unknown; response: Response }>

type Form<Fields extends object> = ReturnType<typeof inputsOf<Fields>> & {
  readonly fields: Fields
  readonly set: (change: Partial<Fields>) => void
  readonly errors: Readonly<Record<string, string>>
}

type ActProps<Fields extends object, Output> = {
  /** The question, with the name of the object. */
  readonly title: string
  /** The consequences, in one or two sentences. */
  readonly consequence?: ReactNode
  /** What the button does, as a verb. */
  readonly verb: string
  readonly isDangerous?: boolean
  readonly initial: Fields
  readonly isIncomplete?: (fields: Fields) => boolean
  readonly call: (fields: Fields, intent: Intent) => Answer<Output>
  /** Keys of the queries to invalidate. */
  readonly changes: readonly (readonly unknown[])[]
  /** The message shown after success. */
  readonly told?: string
  readonly done?: (output: Output) => void
  readonly children?: (form: Form<Fields>) => ReactNode
}

type DialogProps<Fields extends object, Output> = ActProps<Fields, Output> & {
  readonly opened: boolean
  readonly close: () => void
}

/** An action with a confirmation dialog. The input is kept after an error. */
export function ActDialog<Fields extends object, Output>(props: DialogProps<Fields, Output>) {
  const { opened, close, title, consequence, verb, initial, isIncomplete, children } = props
  const [fields, setFields] = useState(initial)
  const action = useAction(props.call, {
    changes: props.changes,
    done: (output) => {
      close()
      setFields(initial)
      if (props.told) told(props.told)
      props.done?.(output)
    },
  })
  const errors = fieldErrors(action.error)
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }))
  return (
    <ActionDialog
      {...{ opened, title }}
      close={() => {
        action.reset()
        close()
      }}
      action={verb}
      run={() => action.mutate(fields)}
      isRunning={action.isPending}
      error={action.error}
      isDangerous={props.isDangerous ?? false}
      isIncomplete={isIncomplete?.(fields) ?? false}
    >
      {consequence ? <div className="dim stack s8">{consequence}</div> : null}
      {children?.({ fields, set, errors, ...inputsOf(fields, errors, set) })}
    </ActionDialog>
  )
}

type ButtonProps<Fields extends object, Output> = ActProps<Fields, Output> & {
  readonly label: string
  readonly icon?: Icon
  readonly variant?: 'filled' | 'default' | 'subtle'
}

/** A button that opens the dialog of an action. */
export function ActButton<Fields extends object, Output>(props: ButtonProps<Fields, Output>) {
  const { label, icon: Art, variant = 'default', ...act } = props
  const [opened, open] = useState(false)
  return (
    <>
      <Button
        variant={variant}
        leftSection={Art ? <Art size={16} stroke={1.75} aria-hidden /> : null}
        onClick={() => open(true)}
      >
        {label}
      </Button>
      <ActDialog {...act} opened={opened} close={() => open(false)} />
    </>
  )
}
