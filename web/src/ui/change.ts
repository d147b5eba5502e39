import { useAction } from '../api/actions.ts'
import { useTexts } from '../texts/index.tsx'
import { refused } from './toast.ts'

type Call<Input, Output> = Parameters<typeof useAction<Input, Output>>[0]
type Options<Input, Output> = NonNullable<Parameters<typeof useAction<Input, Output>>[1]>

/** A change through the API, like `useAction`; a refusal is shown as a toast. */
export function useChange<Input, Output>(
  call: Call<Input, Output>,
  options: Omit<Options<Input, Output>, 'failed'> = {},
) {
  const { common } = useTexts()
  return useAction(call, {
    ...options,
    failed: (error) => refused(common.refused, error.message),
  })
}
