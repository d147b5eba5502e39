import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  ConfirmButton,
  Copy,
  Once,
  refused,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import type { Product } from './reads.ts'

type Made = { readonly secret: string; readonly token: string }

/** The secret of the system that delivers a product, and the test request that it has to accept. */
export function DeliveryTarget({ product: { id, webhookStatus } }: { product: Product }) {
  const { catalogue, integrations } = useAdminTexts()
  const texts = catalogue.product
  const { moment } = useFormats()
  const mayWrite = useMay()('store:write')
  const [made, show] = useState<Made | null>(null)
  const params = { path: { id } }
  const changes = [['products']] as const
  const test = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/products/{id}/delivery/test', { params, ...intent }),
    {
      changes,
      done: ({ ok, statusCode, durationMs, error }) =>
        ok
          ? told(texts.testAccepted)
          : refused(texts.testRefused, error ?? integrations.answer(statusCode, durationMs)),
    },
  )
  const { secretEnd = null, testedAt = null } = webhookStatus ?? {}
  return (
    <div className="stack s8">
      <span className="sub">
        {secretEnd ? texts.secretEnds(secretEnd) : texts.noSecret}{' '}
        {testedAt ? texts.testedAt(moment(testedAt)) : secretEnd ? texts.notTested : null}
      </span>
      {mayWrite ? (
        <div className="row wrap gap12">
          <ConfirmButton
            variant="default"
            verb={texts.newSecret}
            title={texts.newSecretTitle}
            call={(_, intent) =>
              client.POST('/v1/admin/products/{id}/delivery/secret', { params, ...intent })
            }
            changes={changes}
            done={show}
          >
            {secretEnd ? texts.newSecretText : texts.firstSecretText}
          </ConfirmButton>
          <Button
            variant="default"
            disabled={!secretEnd}
            loading={test.isPending}
            onClick={() => test.mutate(null)}
          >
            {texts.sendTest}
          </Button>
        </div>
      ) : null}
      <Once title={texts.secretMade} opened={made !== null} close={() => show(null)}>
        <p className="dim">{texts.secretOnce}</p>
        <p className="sub">{texts.signingSecret}</p>
        <Copy big value={made?.secret ?? ''} label={texts.signingSecret} />
        <p className="sub">{texts.callbackToken}</p>
        <Copy big value={made?.token ?? ''} label={texts.callbackToken} />
        <div className="row ends">
          <Button onClick={() => show(null)}>{integrations.done}</Button>
        </div>
      </Once>
    </div>
  )
}
