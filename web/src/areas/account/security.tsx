import { useTexts } from '../../texts/index.tsx'
import { Private } from '../../ui/index.ts'
import { Connections } from './connections.tsx'
import { AccountFrame } from './frame.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'
import { Totp } from './totp.tsx'

/** How the person signs in, and where they are signed in. */
export function Security() {
  const { account } = useTexts()
  return (
    <AccountFrame title={account.security}>
      <Private>
        <Passkeys />
        <Totp />
        <Password />
        <Sessions />
        <Connections />
      </Private>
    </AccountFrame>
  )
}
