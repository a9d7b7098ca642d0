/**
 * The life of a store that its owner connected.
 * `waiting`: connected, and an operator has to approve it. `connected`: it takes payments. `suspended`: an operator stopped new payments.
 * `leaving`: disconnected while payments are not finished; its keys stay to finish them. `left`: its keys are wiped.
 */
export type StoreState = "waiting" | "connected" | "suspended" | "leaving" | "left";
