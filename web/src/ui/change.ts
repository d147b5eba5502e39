import { useAction } from '../api/actions.ts'
import { useTexts } from '../texts/index.tsx'
import { refused } from './toast.ts'

type Call<Input, Output> = Parameters<typeof useAction<Input, Output>>[0]
type Options<Input, Output> = NonNullable<Parameters<typeof useAction<Input, Output>>[1]>

/** A change through the API, as `useAction` makes it; a refusal is said in the corner. */
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
