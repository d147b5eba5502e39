import type { components } from '@moorage/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client, read } from '../../api/client.ts'
import { I, type Icon } from '../../ui/index.ts'

type Hit = components['schemas']['SearchHit']
type HitKind = components['schemas']['SearchResults']['groups'][number]['kind']

/** Debounce of typing before the API is called, in ms. */
const PAUSE_MS = 120

/** Search results of the API for a text, debounced; outdated responses are dropped. */
export function useFound(query: string) {
  const [wanted, setWanted] = useState('')
  const text = query.trim()
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const found = useQuery({
    ...read(['admin', 'search', wanted], (signal) =>
      client.GET('/v1/admin/search', { params: { query: { q: wanted } }, signal }),
    ),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  })
  return text === '' ? [] : (found.data?.groups ?? [])
}

export const HIT_ICONS: Readonly<Record<HitKind, Icon>> = {
  person: I.UserCircle,
  company: I.Building,
  service: I.Server2,
  invoice: I.Receipt,
  order: I.ShoppingCart,
  payment: I.Cash,
  payment_attempt: I.Cash,
  refund: I.CornerDownLeft,
  dispute: I.AlertTriangle,
  credit_note: I.FileMinus,
  imported_payment: I.Cash,
  imported_order: I.ShoppingCart,
  coupon: I.Ticket,
  ticket: I.Lifebuoy,
}

/** The page of a hit; hits without their own page lead to their customer, if there is one. */
export function placeOf(kind: HitKind, { id, userId, title }: Hit): string {
  switch (kind) {
    case 'person':
    case 'company':
      return `/admin/people/${id}`
    case 'service':
      return `/admin/servers/${id}`
    case 'invoice':
      return `/admin/invoices/${id}`
    case 'order':
      return `/admin/orders/${id}`
    case 'payment':
      return `/admin/payments/${id}`
    case 'credit_note':
      return `/admin/invoices?view=credit-notes&number=${encodeURIComponent(title)}`
    case 'ticket':
      return `/admin/tickets/${id}`
    case 'coupon':
      return '/admin/coupons'
    case 'dispute':
      return '/admin/payments?view=disputes'
    case 'refund':
      return '/admin/payments?view=refunds'
    default:
      return userId ? `/admin/people/${userId}` : '/admin/payments'
  }
}
