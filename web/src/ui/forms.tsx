import { type ReactNode, useEffect } from 'react'
import { useAdminTexts } from '../texts/admin.tsx'
import { useTexts } from '../texts/index.tsx'
import { Button } from './kit.ts'

type SectionProps = {
  readonly title: string
  readonly help?: ReactNode
  readonly children: ReactNode
}

/** A section of a form, with its title at the left. */
export function FormSection({ title, help, children }: SectionProps) {
  return (
    <section className="formsec">
      <div>
        <h2>{title}</h2>
        {help ? <p className="sub">{help}</p> : null}
      </div>
      <div className="stack">{children}</div>
    </section>
  )
}

type SaveBarProps = {
  readonly isChanged: boolean
  readonly isSaving: boolean
  readonly save: () => void
  readonly discard: () => void
}

/** The bar that appears after a change; Ctrl+S saves. */
export function SaveBar({ isChanged, isSaving, save, discard }: SaveBarProps) {
  const { lists } = useAdminTexts()
  const { common } = useTexts()
  useEffect(() => {
    if (!isChanged) return
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [isChanged, save])
  if (!isChanged) return null
  return (
    <section className="savebar" aria-label={lists.unsaved}>
      <span className="grow">{lists.unsaved}</span>
      <Button variant="default" onClick={discard}>
        {lists.discard}
      </Button>
      <Button loading={isSaving} onClick={save} aria-keyshortcuts="Control+S Meta+S">
        {common.save}
      </Button>
    </section>
  )
}
