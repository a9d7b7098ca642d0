<?php
/** A shopper whose payment was declined came back to the shop: WooCommerce then shows the order as failed and sends its e-mails. */

defined( 'ABSPATH' ) || exit;

/** The order can still be paid: a late success of any of its payments marks it paid. */
function tillkit_set_to_failed( WC_Order $order, string $shopper_status ): void {
	if ( 'declined' !== $shopper_status || 'pending' !== $order->get_status() ) {
		return;
	}
	$work = static function () use ( $order ): void {
		$fresh = tillkit_fresh_order( $order->get_id() );
		if ( null === $fresh || 'pending' !== $fresh->get_status() || null !== tillkit_paid_by( $fresh ) || ! tillkit_is_own_method( (string) $fresh->get_payment_method() ) ) {
			return;
		}
		$fresh->set_status( 'failed' );
		tillkit_save_unless_stale( $fresh, 'pending', array( $fresh, 'save' ) );
		$fresh->add_order_note( __( 'The payment was declined, and nothing was charged. The customer can still pay this order.', 'tillkit-checkout' ) );
	};
	// A payment that is being recorded holds the lock: it is more recent than the failed attempt.
	tillkit_write_under_lock(
		(string) $order->get_id(),
		0,
		static function () use ( $work ): void {
			tillkit_run_as_checkout_server( $work );
		}
	);
}
