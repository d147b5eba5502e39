import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { openInvoices, services } from '../api/reads.ts'
import { useTexts } from '../texts/index.tsx'
import { I, useFormats } from '../ui/index.ts'
import { type CommandGroup, CommandPalette } from '../ui/palette.tsx'

/** Loaded at the first opening. */
export function Palette({ opened }: { opened: number }) {
  const texts = useTexts()
  const { navigation } = texts
  const { palette } = navigation
  const { money } = useFormats()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const servers = useQuery(services).data?.data ?? []
  const invoices = useQuery(openInvoices).data?.data ?? []
  const pages = [
    [navigation.home, '/home', I.Home, 'G H'],
    [navigation.servers, '/servers', I.Server2, 'G S'],
    [navigation.invoices, '/invoices', I.FileInvoice, 'G I'],
    [navigation.orders, '/orders', I.ShoppingCart, 'G O'],
    [navigation.payment, '/payment', I.CreditCard, 'G P'],
    [navigation.notifications, '/notifications', I.Bell, 'G N'],
    [navigation.profile, '/account', I.UserCircle, ''],
    [navigation.security, '/account/security', I.ShieldLock, ''],
    [navigation.access, '/account/access', I.Key, ''],
    [navigation.messages, '/account/messages', I.Mail, ''],
    [navigation.data, '/account/data', I.Download, ''],
    [navigation.inviteFriends, '/invite-friends', I.Gift, ''],
  ] as const
  const groups: readonly CommandGroup[] = [
    {
      title: palette.servers,
      commands: servers.map((it) => ({
        ...{ id: it.id, title: it.name, sub: it.product.name, icon: I.Server2 },
        run: () => void navigate({ to: '/servers/$id', params: { id: it.id } }),
      })),
    },
    {
      title: palette.pages,
      commands: pages.map(([title, to, icon, keys]) => ({
        ...{ id: to, title, icon, keys },
        run: () => void navigate({ to }),
      })),
    },
    {
      title: palette.invoices,
      commands: invoices.map((it) => ({
        ...{ id: it.id, title: it.number ?? '', sub: money(it.dueCents, it.currency) },
        icon: I.Receipt,
        run: () => void navigate({ to: '/invoices/$id', params: { id: it.id } }),
      })),
    },
    {
      title: palette.actions,
      commands: [
        {
          ...{ id: 'new', title: navigation.newServer, icon: I.Plus },
          run: () => location.assign('/'),
        },
      ],
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
