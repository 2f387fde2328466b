/** Why a signature doesn't count. The message is sent to the client. */
export class SignatureProblem extends Error {}
