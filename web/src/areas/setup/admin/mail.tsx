import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Notice } from '../../../ui/index.ts'
import { MailServerCards } from '../../notifications/admin/index.ts'
import { SenderForm } from '../../tenants/admin/index.ts'
import { StepFrame } from './frame.tsx'
import { useSteps } from './state.ts'

/** The mail server and the sender of mails, and whether mails can be sent. */
export function MailStep() {
  const { setup } = useAdminTexts()
  const may = useMay()
  const { steps } = useSteps()
  const mail = steps.find(({ name }) => name === 'mail')
  return (
    <StepFrame step="mail">
      {mail?.todo ? (
        <Notice tone="attention" title={setup.names.mail}>
          {mail.todo}
        </Notice>
      ) : null}
      {may('system:read') ? <MailServerCards /> : null}
      <SenderForm />
    </StepFrame>
  )
}
