<?php
/** What paid an order. */

defined( '_PS_VERSION_' ) || exit;

/**
 * The id of our payment, "outside" (another payment module), "owner" (a person set the order to a paid state), "unclear", or null while the order
 * is unpaid. A payment that was claimed and not recorded to its end counts: its next call ends it.
 */
function tillkit_paid_by( Tillkit_Prestashop_Order $order ): ?string {
	$payment = tillkit_own_payment( $order );
	if ( '' !== $payment ) {
		return $payment;
	}
	if ( ! tillkit_has_been_paid( $order ) ) {
		return null;
	}
	if ( 'tillkit' !== $order->module_name() ) {
		return 'outside';
	}
	$decision = json_decode( $order->fact( 'set_paid' ), true );
	return '' === ( $decision['by'] ?? '' ) ? 'unclear' : 'owner';
}

/** The history of states tells it: a shipped order is paid in a state that says nothing of money. */
function tillkit_has_been_paid( Tillkit_Prestashop_Order $order ): bool {
	return null !== tillkit_paid_at( $order );
}

/** The same, also before the shop has written the history: a call may have died between both. */
function tillkit_is_in_paid_state( Tillkit_Prestashop_Order $order ): bool {
	return tillkit_has_been_paid( $order ) || in_array( (int) Configuration::get( 'PS_OS_PAYMENT' ), $order->states(), true );
}

/** @return int|null When an order of the cart first came into a paid state; null for an unpaid order. */
function tillkit_paid_at( Tillkit_Prestashop_Order $order ): ?int {
	$ids  = implode( ', ', array_keys( $order->states() ) );
	$rows = tillkit_select( 'SELECT MIN(h.`date_add`) AS `paid_at` FROM `' . _DB_PREFIX_ . 'order_history` h JOIN `' . _DB_PREFIX_ . "order_state` s ON s.`id_order_state` = h.`id_order_state` WHERE s.`paid` = 1 AND h.`id_order` IN ($ids)" );
	return null === ( $rows[0]['paid_at'] ?? null ) ? null : (int) strtotime( (string) $rows[0]['paid_at'] );
}

/** Whether every order of the cart waits for its payment, or for the owner's look at one. */
function tillkit_is_payable( Tillkit_Prestashop_Order $order ): bool {
	return array() === array_diff( $order->states(), array( tillkit_state( 'waiting' ), tillkit_state( 'review' ) ) );
}

/** The id of one of our own states. They exist since the module was installed. */
function tillkit_state( string $name ): int {
	return (int) Configuration::get( 'waiting' === $name ? 'TILLKIT_STATE_WAITING' : 'TILLKIT_STATE_REVIEW' );
}
