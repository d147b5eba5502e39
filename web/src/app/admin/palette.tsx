import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAdminTexts } from '../../texts/admin.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type CommandGroup, CommandPalette } from '../../ui/palette.tsx'
import type { NavigationItem } from './navigation.ts'

type PaletteProps = { readonly opened: number; readonly items: readonly NavigationItem[] }

/** Everything that the person may open or do, by typing a part of its name. */
export function AdminPalette({ opened, items }: PaletteProps) {
  const { navigation } = useTexts()
  const { shell } = useAdminTexts()
  const { palette } = navigation
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const groups: readonly CommandGroup[] = [
    {
      title: palette.pages,
      commands: items.map(({ to, label, icon, key }) => ({
        ...{ id: to, title: shell[label], icon },
        ...(key && { keys: `G ${key.toUpperCase()}` }),
        run: () => void navigate({ to }),
      })),
    },
  ]
  return (
    <CommandPalette
      {...{ opened, query, groups }}
      onQuery={setQuery}
      texts={{ label: navigation.jump, ...palette }}
    />
  )
}
