import { type ReactNode, useState } from 'react'
import type { Intent } from '../api/actions.ts'
import { type inputsOf, useForm } from '../api/forms.ts'
import { useTexts } from '../texts/index.tsx'
import { Modal } from './dialog.tsx'
import { Button } from './kit.ts'
import { type Icon, Notice } from './parts.tsx'
import { told } from './toast.ts'

type ActionDialogProps = {
  readonly opened: boolean
  readonly close: () => void
  /** What the button Cancel does instead of closing. */
  readonly cancel?: () => void
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
  const { isDangerous = false, isIncomplete = false, cancel = close } = props
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
          <Button variant="default" onClick={cancel}>
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

type ActProps<Fields extends object, Output, Secrets extends object> = {
  /** The question, with the name of the object. */
  readonly title: string
  /** The consequences, in one or two sentences. */
  readonly consequence?: ReactNode
  /** What the button does, as a verb. */
  readonly verb: string
  readonly isDangerous?: boolean
  readonly initial: Fields
  /** Fields that are not stored in the browser, such as keys and files. */
  readonly secrets?: Secrets
  readonly isIncomplete?: (fields: Fields & Secrets) => boolean
  readonly call: (fields: Fields & Secrets, intent: Intent) => Answer<Output>
  /** Keys of the queries to invalidate. */
  readonly changes: readonly (readonly unknown[])[]
  /** The message shown after success. */
  readonly told?: string
  readonly done?: (output: Output) => void
  readonly children?: (form: Form<Fields & Secrets>) => ReactNode
}

type DialogProps<Fields extends object, Output, Secrets extends object> = ActProps<
  Fields,
  Output,
  Secrets
> & {
  readonly opened: boolean
  readonly close: () => void
}

/**
 * An action with a confirmation dialog. The input is kept after an error, and in this tab through an ended session
 * or a reload, until the action is done or canceled. Its draft belongs to the page, the question and the queries that
 * the action changes, which name its object.
 */
export function ActDialog<Fields extends object, Output, Secrets extends object = object>(
  props: DialogProps<Fields, Output, Secrets>,
) {
  const { opened, close, title, consequence, verb, initial, secrets, isIncomplete, children } =
    props
  const { call, changes } = props
  const form = useForm<Fields, Output, Secrets>({
    name: JSON.stringify([location.pathname, title, changes]),
    ...{ saved: initial, call, changes, edits: null },
    ...(secrets && { secrets }),
    done: (output) => {
      form.reset()
      close()
      if (props.told) told(props.told)
      props.done?.(output)
    },
  })
  return (
    <ActionDialog
      {...{ opened, title, close }}
      cancel={() => {
        form.reset()
        close()
      }}
      action={verb}
      run={form.save}
      isRunning={form.isSaving}
      error={form.fault}
      isDangerous={props.isDangerous ?? false}
      isIncomplete={isIncomplete?.(form.fields) ?? false}
    >
      {consequence ? <div className="dim stack s8">{consequence}</div> : null}
      {children?.(form)}
    </ActionDialog>
  )
}

type ButtonProps<Fields extends object, Output, Secrets extends object> = ActProps<
  Fields,
  Output,
  Secrets
> & {
  readonly label: string
  readonly icon?: Icon
  readonly variant?: 'filled' | 'default' | 'subtle'
}

/** A button that opens the dialog of an action. */
export function ActButton<Fields extends object, Output, Secrets extends object = object>(
  props: ButtonProps<Fields, Output, Secrets>,
) {
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
