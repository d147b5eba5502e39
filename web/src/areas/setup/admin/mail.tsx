import { useAdminTexts } from '../../../texts/admin.tsx'
import { Notice } from '../../../ui/index.ts'
import { SenderForm } from '../../tenants/admin/index.ts'
import { StepFrame } from './frame.tsx'
import { useSteps } from './state.ts'

/** The sender of mails, and whether mails can be sent. */
export function MailStep() {
  const { setup } = useAdminTexts()
  const { steps } = useSteps()
  const mail = steps.find(({ name }) => name === 'mail')
  return (
    <StepFrame step="mail">
      {mail?.todo ? (
        <Notice tone="attention" title={setup.names.mail}>
          {mail.todo}
        </Notice>
      ) : null}
      <SenderForm />
    </StepFrame>
  )
}
