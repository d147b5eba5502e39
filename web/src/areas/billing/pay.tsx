import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { meta } from '../../api/reads.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Checkbox,
  Drawer,
  Facts,
  Loaded,
  Notice,
  refused,
  told,
  useFormats,
} from '../../ui/index.ts'
import { methodName } from './names.ts'
import { credits, methods, type Payment } from './reads.ts'

type PayProps = {
  readonly invoiceIds: readonly string[]
  /** The total amount due, as text; null if the caller does not know it. */
  readonly amount: string | null
  readonly opened: boolean
  readonly close: () => void
  /** The path that the provider's page returns to; without it, the current path. */
  readonly back?: string
}

/** Reads that a payment makes out of date. */
const CHANGED = [
  ['orders'],
  ['invoices'],
  ['invoice'],
  ['credit'],
  ['summary'],
  ['services'],
  ['service'],
]

type Way = { readonly paymentMethodId: string } | { readonly gatewayId: string }

/** Pays one invoice or several: with a saved method, or on the page of a provider. */
export function Pay({ invoiceIds, amount, opened, close, back }: PayProps) {
  const texts = useTexts()
  const { billing, common } = texts
  const { money } = useFormats()
  const saved = useQuery({ ...methods, enabled: opened })
  const shop = useQuery({ ...meta, enabled: opened })
  const balance = useQuery({ ...credits, enabled: opened }).data
  const [chosen, choose] = useState<string | null>(null)
  const [useCredits, setCredits] = useState(true)
  const [instructed, instruct] = useState<Payment | null>(null)
  const pay = useAction(
    (wanted: { way: Way; useCredits: boolean; invoiceIds: readonly string[] }, intent) =>
      client.POST('/v1/billing/pay', {
        body: {
          ...wanted.way,
          invoiceIds: [...wanted.invoiceIds],
          useCredits: wanted.useCredits,
          returnUrl: location.origin + (back ?? location.pathname),
        },
        ...intent,
      }),
    {
      changes: CHANGED,
      done: (payment) => {
        if (payment.redirectUrl) return location.assign(payment.redirectUrl)
        if (payment.instructions) return instruct(payment)
        if (payment.status === 'failed') {
          return refused(billing.paymentFailed, payment.failure?.message ?? '')
        }
        told(payment.status === 'paid' ? billing.paidNow : billing.paymentUnderWay)
        close()
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const ways = [
    ...(saved.data?.data ?? []).map((it) => ({
      key: it.id,
      name: methodName(it, texts),
      isDefault: it.default,
      way: { paymentMethodId: it.id },
    })),
    ...(shop.data?.gateways ?? []).map((it) => ({
      key: it.id,
      name: billing.newMethod(it.name),
      isDefault: false,
      way: { gatewayId: it.id },
    })),
  ]
  const current =
    ways.find(({ key }) => key === chosen) ?? ways.find((it) => it.isDefault) ?? ways[0]
  return (
    <Drawer opened={opened} onClose={close} title={billing.payTitle}>
      {instructed?.instructions ? (
        <Transfer payment={instructed} />
      ) : (
        <Loaded query={shop} waiting="…">
          {() =>
            current ? (
              <>
                <fieldset className="plain stack s8">
                  <legend className="strong">{billing.payWith}</legend>
                  {ways.map(({ key, name }) => (
                    <label key={key} className="choice">
                      <input
                        type="radio"
                        name="way"
                        checked={key === current.key}
                        onChange={() => choose(key)}
                      />
                      <span>{name}</span>
                    </label>
                  ))}
                </fieldset>
                {balance && balance.balanceCents > 0 ? (
                  <Checkbox
                    className="below"
                    label={billing.creditFirst(money(balance.balanceCents, balance.currency))}
                    checked={useCredits}
                    onChange={(event) => setCredits(event.currentTarget.checked)}
                  />
                ) : null}
                <div className="drawer-foot">
                  <Button
                    fullWidth
                    size="md"
                    loading={pay.isPending}
                    onClick={() => pay.mutate({ way: current.way, useCredits, invoiceIds })}
                  >
                    {amount ? billing.payAmount(amount) : billing.continue}
                  </Button>
                </div>
              </>
            ) : (
              <Notice tone="attention" title={billing.noGateway} />
            )
          }
        </Loaded>
      )}
    </Drawer>
  )
}

/** Where to transfer the money to. */
function Transfer({ payment: { instructions, amountCents, currency } }: { payment: Payment }) {
  const { billing } = useTexts()
  const { money } = useFormats()
  if (!instructions) return null
  return (
    <div className="stack">
      <h3 className="h2">{billing.transfer}</h3>
      <p className="dim">{billing.transferText}</p>
      <Facts
        rows={[
          [billing.amount, money(amountCents, currency)],
          ...instructions.lines.map(({ label, value }) => [label, value] as const),
          [billing.reference, instructions.reference],
        ]}
      />
    </div>
  )
}
