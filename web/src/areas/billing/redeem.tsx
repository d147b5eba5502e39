import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { meta } from '../../api/reads.ts'
import { isViewing } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, TextInput, told, useFormats } from '../../ui/index.ts'

/** Turns a voucher into credit; renders nothing in a shop without vouchers, and for staff who view the account. */
export function RedeemVoucher() {
  const { billing } = useTexts()
  const { money } = useFormats()
  const [code, enter] = useState('')
  const redeem = useAction(
    (entered: string, intent) =>
      client.POST('/v1/billing/vouchers/redeem', { body: { code: entered }, ...intent }),
    {
      changes: [['credit'], ['summary']],
      done: ({ amountCents, currency }) => {
        enter('')
        told(billing.redeemed(money(amountCents, currency)))
      },
    },
  )
  const hasVouchers = useQuery(meta).data?.features.vouchers
  if (!hasVouchers || isViewing()) return null
  return (
    <Card title={billing.voucher}>
      <form
        className="stack s12"
        onSubmit={(event) => {
          event.preventDefault()
          redeem.mutate(code.trim())
        }}
      >
        <TextInput
          label={billing.voucherCode}
          description={billing.voucherText}
          name="voucher"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          required
          value={code}
          error={redeem.error?.message}
          onChange={(event) => {
            enter(event.currentTarget.value)
            if (redeem.error) redeem.reset()
          }}
        />
        <Button type="submit" loading={redeem.isPending} disabled={code.trim() === ''}>
          {billing.redeem}
        </Button>
      </form>
    </Card>
  )
}
