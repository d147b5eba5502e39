import type { components } from '@moorage/client'
import { client, read } from '../../api/client.ts'

export type Invoice = components['schemas']['Invoice']
export type InvoiceDetails = components['schemas']['InvoiceDetails']
export type Payment = components['schemas']['Payment']
export type PaymentMethod = components['schemas']['PaymentMethod']
export type Order = components['schemas']['Order']

/** The query key of the list of invoices. */
export const invoicesKey = (status: 'all' | 'open' | 'paid') =>
  ['invoices', 'list', status] as const

export const invoice = (id: string) =>
  read(['invoice', id], (signal) =>
    client.GET('/v1/billing/invoices/{id}', { params: { path: { id } }, signal }),
  )

export const creditNote = (id: string) =>
  read(['credit-note', id], (signal) =>
    client.GET('/v1/billing/credit-notes/{id}', { params: { path: { id } }, signal }),
  )

export const methods = read(['payment-methods'], (signal) =>
  client.GET('/v1/billing/payment-methods', { signal }),
)

export const credits = read(['credit'], (signal) => client.GET('/v1/billing/credits', { signal }))

export const payment = (id: string) =>
  read(['payments', id], (signal) =>
    client.GET('/v1/billing/payments/{id}', { params: { path: { id } }, signal }),
  )
