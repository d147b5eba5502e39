import { LOCALES, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { openInvoices, services } from '../api/reads.ts'
import { chooseLanguage } from '../areas/account/language.ts'
import type { Service } from '../areas/services/reads.ts'
import { useLocale, useTexts } from '../texts/index.tsx'
import { I, refused, told, useFormats, useScheme } from '../ui/index.ts'
import { type CommandGroup, CommandPalette } from '../ui/palette.tsx'

/** Loaded at the first opening. */
export function Palette({ opened }: { opened: number }) {
  const texts = useTexts()
  const { navigation, account, common } = texts
  const locale = useLocale()
  const { isDark, toggle } = useScheme()
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
    [navigation.help, '/tickets', I.Lifebuoy, 'G T'],
    [navigation.notifications, '/notifications', I.Bell, 'G N'],
    [navigation.profile, '/account', I.UserCircle, ''],
    [navigation.security, '/account/security', I.ShieldLock, ''],
    [navigation.access, '/account/access', I.Key, ''],
    [navigation.messages, '/account/messages', I.Mail, ''],
    [navigation.data, '/account/data', I.Download, ''],
    [navigation.inviteFriends, '/invite-friends', I.Gift, ''],
  ] as const
  const ask = async (action: 'start' | 'restart', { id, name }: Service) => {
    const { error } = await client.POST('/v1/services/{id}/power', {
      params: { path: { id } },
      body: { action },
    })
    if (error) refused(common.refused, error.message)
    else told(texts.services.asked[action], name)
  }
  const actionsOf = (it: Service): CommandGroup['commands'] => {
    const { id, name, status, panel, role, permissions } = it
    if (status !== 'active') return []
    const mayStart = panel !== null && permissions.includes('power')
    const address = panel?.address
    return [
      ...(mayStart
        ? [
            {
              ...{ id: `start ${id}`, title: palette.startServer(name), icon: I.PlayerPlay },
              run: () => void ask('start', it),
            },
            {
              ...{ id: `restart ${id}`, title: palette.restartServer(name), icon: I.Refresh },
              run: () => void ask('restart', it),
            },
          ]
        : []),
      ...(address
        ? [
            {
              ...{ id: `copy ${id}`, title: palette.copyAddress(name), icon: I.Copy },
              run: () => {
                void navigator.clipboard.writeText(address)
                told(common.copied, address)
              },
            },
          ]
        : []),
      ...(role === 'owner' && panel
        ? [
            {
              ...{ id: `invite ${id}`, title: palette.inviteTo(name), icon: I.UserPlus },
              run: () => void navigate({ to: '/servers/$id/people', params: { id } }),
            },
          ]
        : []),
    ]
  }
  const groups: readonly CommandGroup[] = [
    {
      title: palette.servers,
      commands: servers.map((it) => ({
        ...{ id: it.id, title: it.name, sub: it.product.name, icon: I.Server2 },
        run: () => void navigate({ to: '/servers/$id', params: { id: it.id } }),
      })),
    },
    {
      ...{ title: palette.pages, isWhole: true },
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
        ...(invoices.length > 0
          ? [
              {
                ...{ id: 'pay', title: palette.payOpen, icon: I.CreditCard },
                run: () => void navigate({ to: '/invoices', search: { status: 'open' } }),
              },
            ]
          : []),
        ...servers.flatMap(actionsOf),
        {
          ...{ id: 'key', title: account.newKey, icon: I.Key },
          run: () => void navigate({ to: '/account/access' }),
        },
        {
          ...{ id: 'colours', title: isDark ? navigation.light : navigation.dark },
          ...{ icon: isDark ? I.Sun : I.Moon, run: toggle },
        },
        ...LOCALES.filter((it) => it !== locale).map((it) => ({
          ...{ id: `language ${it}`, title: languageName(it), sub: account.language },
          ...{ icon: I.World, run: () => void chooseLanguage(it, common.refused) },
        })),
      ],
    },
    {
      ...{ title: palette.keys, isWhole: true },
      commands: (
        [
          [navigation.search, '/', I.Search],
          [texts.services.restart, 'R', I.Refresh],
          [`${common.copy}: ${texts.services.address}`, 'C', I.Copy],
          [palette.rows, 'J K', I.GripVertical],
          [palette.selectRow, 'X', I.Check],
        ] as const
      ).map(([title, keys, icon]) => ({ id: `key ${keys}`, title, icon, keys, run: () => {} })),
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
