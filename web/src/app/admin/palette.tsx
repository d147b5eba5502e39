import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { useTexts } from '../../texts/index.tsx'
import { I, useFormats } from '../../ui/index.ts'
import { type Command, type CommandGroup, CommandPalette } from '../../ui/palette.tsx'
import { HIT_ICONS, placeOf, useFound } from './found.ts'
import type { NavigationItem } from './navigation.ts'

type PaletteProps = { readonly opened: number; readonly items: readonly NavigationItem[] }

/** The command palette: pages, actions and search hits that the person may open, by name or id. */
export function AdminPalette({ opened, items }: PaletteProps) {
  const { navigation } = useTexts()
  const { shell, palette } = useAdminTexts()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const found = useFoundGroups(query)
  const groups: readonly CommandGroup[] = [
    ...found,
    { title: navigation.palette.actions, commands: useActions() },
    {
      title: navigation.palette.pages,
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
      texts={{
        ...navigation.palette,
        ...{ label: navigation.jump, placeholder: palette.placeholder },
      }}
    />
  )
}

function useFoundGroups(query: string): readonly CommandGroup[] {
  const { palette } = useAdminTexts()
  const { money } = useFormats()
  const navigate = useNavigate()
  return useFound(query).map(({ kind, hits }) => ({
    title: palette.groups[kind],
    isFound: true,
    // An exact match of an id, number or address comes first, so that Enter opens it.
    commands: hits
      .toSorted((one, other) => Number(other.exact) - Number(one.exact))
      .map((hit) => {
        const { amountCents, currency } = hit
        const amount = amountCents !== null && currency ? money(amountCents, currency) : null
        const sub = [hit.customerName, hit.detail, amount].filter(Boolean).join(' · ')
        return {
          ...{ id: `${kind} ${hit.id}`, title: hit.title, icon: HIT_ICONS[kind] },
          ...(sub && { sub }),
          run: () => void navigate({ href: placeOf(kind, hit) }),
        }
      }),
  }))
}

/** Global actions. An action with consequences only opens its screen. */
function useActions(): readonly Command[] {
  const { palette } = useAdminTexts()
  const may = useMay()
  const navigate = useNavigate()
  const all = [
    ['services:read', palette.retryAll, I.AlertTriangle, '/admin/servers'],
    ['invoices:write', palette.newInvoice, I.FilePlus, '/admin/invoices/new'],
    ['invoices:read', palette.disputes, I.AlertTriangle, '/admin/payments?view=disputes'],
    ['invoices:read', palette.bank, I.BuildingBank, '/admin/payments?view=bank&status=open'],
    ['reports:read', palette.mrr, I.ChartLine, '/admin/reports?view=mrr'],
    ['reports:read', palette.receivables, I.ChartLine, '/admin/reports?view=receivables'],
    ['reports:read', palette.oss, I.ChartLine, '/admin/reports?view=oss'],
  ] as const
  return [
    ...all
      .filter(([permission]) => may(permission))
      .map(([, title, icon, href]) => ({
        ...{ id: `${title} ${href}`, title, icon },
        run: () => void navigate({ href }),
      })),
    { id: 'shop', title: palette.shop, icon: I.ArrowUpRight, run: () => location.assign('/') },
  ]
}
