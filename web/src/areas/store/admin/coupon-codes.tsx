import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { offerFile } from '../../../api/downloads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, Modal, Textarea, useChange } from '../../../ui/index.ts'
import type { Tried } from './coupon-drawer.tsx'

type CodesProps = {
  readonly tried: Tried
  readonly back: () => void
  readonly done: () => void
  readonly close: () => void
}

/** Shows how many coupons would be created; after creation, their codes to save. */
export function CouponCodes({ tried, back, done, close }: CodesProps) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const { common } = useTexts()
  const run = useChange(
    (body: Tried['body'], intent) => client.POST('/v1/admin/coupons/generate', { body, ...intent }),
    { changes: [['coupons']], done },
  )
  const made = run.data
  const { created, rows } = made ?? tried.codes
  return (
    <Modal opened onClose={close} size="lg" title={texts.batch}>
      <div className="stack">
        <p role="status" className="strong">
          {made ? texts.batchDone(created) : texts.batchWould(created)}
        </p>
        {made ? (
          <Textarea
            readOnly
            label={texts.code}
            minRows={6}
            maxRows={12}
            autosize
            value={rows.map(({ code }) => code).join('\n')}
          />
        ) : (
          <p className="dim">{texts.batchExample(rows[0]?.code ?? '')}</p>
        )}
        <div className="row ends">
          <Button variant="default" onClick={made ? close : back}>
            {made ? common.close : common.cancel}
          </Button>
          {made ? (
            <Button onClick={() => saveCodes(rows)}>{texts.batchSave}</Button>
          ) : (
            <Button loading={run.isPending} onClick={() => run.mutate(tried.body)}>
              {texts.batchRun(created)}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  )
}

function saveCodes(rows: components['schemas']['CouponCodes']['rows']) {
  const lines = ['code', ...rows.map(({ code }) => code)]
  offerFile('coupons.csv', new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }))
}
