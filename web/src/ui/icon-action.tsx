import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentProps } from 'react'
import type { Icon } from './parts.tsx'

type IconActionProps = { readonly label: string; readonly icon: Icon } & Omit<
  ComponentProps<typeof ActionIcon<'button'>>,
  'children'
>

/** A button that is an icon; `label` is its tooltip and its name. */
export function IconAction({ label, icon: Art, ...rest }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} {...rest}>
        <Art size={18} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
