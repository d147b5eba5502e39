import type { FormEvent, ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Modal } from './dialog.tsx'
import { Drawer } from './drawer.tsx'
import { Faulty } from './fields.tsx'
import { Button } from './kit.ts'

type FormDialogProps = {
  readonly title: string
  readonly close: () => void
  /** The result of `useForm`. */
  readonly form: {
    readonly fault: Error | null
    readonly isSaving: boolean
    readonly submit: (event: FormEvent) => void
    readonly reset: () => void
  }
  /** The label of the save button. */
  readonly save: string
  /** Nothing can be sent yet; the fields say why. */
  readonly isIncomplete?: boolean
  /** Whether the form opens at the side, for longer forms. */
  readonly atSide?: boolean
  /** The button that removes the edited object. */
  readonly removal?: ReactNode
  readonly children: ReactNode
}

/** A form that opens over the screen: its fields, then the buttons to cancel and to save. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    close,
    form,
    save,
    isIncomplete = false,
    atSide = false,
    removal,
    children,
  } = props
  const { common } = useTexts()
  const Frame = atSide ? Drawer : Modal
  return (
    <Frame opened onClose={close} title={title}>
      <form className="stack" onSubmit={form.submit}>
        <Faulty fault={form.fault} />
        {children}
        <div className={atSide ? 'drawer-foot row ends' : 'row ends'}>
          {removal}
          <Button
            variant="default"
            onClick={() => {
              form.reset()
              close()
            }}
          >
            {common.cancel}
          </Button>
          <Button type="submit" loading={form.isSaving} disabled={isIncomplete}>
            {save}
          </Button>
        </div>
      </form>
    </Frame>
  )
}
