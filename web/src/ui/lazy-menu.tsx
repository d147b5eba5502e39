import { type ComponentType, cloneElement, type ReactElement, type Ref, useState } from 'react'

export type TargetProps = {
  /** The button of a menu. */
  readonly target: ReactElement<{
    ref?: Ref<HTMLButtonElement>
    onClick?: () => void
    onFocus?: () => void
    onPointerEnter?: () => void
    'aria-haspopup'?: 'menu'
    'aria-expanded'?: boolean
  }>
}

type LazyMenuProps<Inner extends object> = TargetProps & {
  /** Loads the menu around its button, which opens when it is mounted (`OpeningMenu`). */
  readonly load: () => Promise<ComponentType<TargetProps & Inner>>
  /** What the menu gets besides its button. */
  readonly inner: Inner
}

/** A menu whose script is only loaded when its button is hovered, focused or pressed. */
export function LazyMenu<Inner extends object>({ target, load, inner }: LazyMenuProps<Inner>) {
  const [Loaded, show] = useState<ComponentType<TargetProps & Inner> | null>(null)
  if (Loaded) return <Loaded target={target} {...inner} />
  const fetched = () => void load()
  return cloneElement(target, {
    ...{ 'aria-haspopup': 'menu', 'aria-expanded': false },
    ...{ onFocus: fetched, onPointerEnter: fetched },
    onClick: () => void load().then((menu) => show(() => menu)),
  })
}
