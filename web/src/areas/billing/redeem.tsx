import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { meta } from '../../api/reads.ts'
import { isViewing } from '../../api/session.ts'
import { loadVoucherTexts } from '../../texts/credit-kinds.ts'
import { useLocale } from '../../texts/index.tsx'
import { Button, Card, TextInput, told, useFormats } from '../../ui/index.ts'

/** Turns a voucher into credit; renders nothing in a shop without vouchers, and for staff who view the account. */
export function RedeemVoucher() {
  const locale = useLocale()
  const texts = useQuery({
    queryKey: ['texts', 'vouchers', locale],
    queryFn: () => loadVoucherTexts(locale),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  const { money } = useFormats()
  const [code, enter] = useState('')
  const redeem = useAction(
    (entered: string, intent) =>
      client.POST('/v1/billing/vouchers/redeem', { body: { code: entered }, ...intent }),
    {
      changes: [['credit'], ['summary']],
      done: ({ amountCents, currency }) => {
        enter('')
        if (texts) told(texts.redeemed(money(amountCents, currency)))
      },
    },
  )
  const hasVouchers = useQuery(meta).data?.features.vouchers
  if (!texts || !hasVouchers || isViewing()) return null
  return (
    <Card title={texts.title}>
      <form
        className="stack s12"
        onSubmit={(event) => {
          event.preventDefault()
          redeem.mutate(code.trim())
        }}
      >
        <TextInput
          label={texts.code}
          description={texts.format}
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
          {texts.redeem}
        </Button>
      </form>
    </Card>
  )
}
