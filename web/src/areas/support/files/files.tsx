import { type ComponentProps, lazy, Suspense } from 'react'
import type { FilesField as Field } from './field.tsx'
import type { FilesShown as Shown } from './shown.tsx'

/** What a form needs of the files that its reader has chosen. */
export type Ready = {
  /** The uploads that the message names. */
  readonly ids: string[]
  /** Whether the message cannot be sent yet: a file is on its way, was not uploaded, or is one too many. */
  readonly isUnready: boolean
  /** Called after the message was sent; files that were chosen meanwhile stay. */
  readonly settle: (ids: readonly string[]) => void
}

export const NO_FILES: Ready = { ids: [], isUnready: false, settle: () => {} }

// A ticket is drawn without waiting for its files, and most have none.
const LazyField = lazy(async () => ({ default: (await import('./field.tsx')).FilesField }))
const LazyShown = lazy(async () => ({ default: (await import('./shown.tsx')).FilesShown }))

/** Chooses the files of the message of a form, also by dropping or pasting them anywhere in the form. */
export function FilesField(props: ComponentProps<typeof Field>) {
  return (
    <Suspense>
      <LazyField {...props} />
    </Suspense>
  )
}

/** The files of a message. */
export function FilesShown(props: ComponentProps<typeof Shown>) {
  if (props.files.length === 0) return null
  return (
    <Suspense>
      <LazyShown {...props} />
    </Suspense>
  )
}
