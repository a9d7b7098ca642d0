<?php
/**
 * The owner changes an order at the moment at which its payment is recorded. The shop goes on with the order as it had read it before, and
 * would undo the payment. A hook cannot forbid anything by an exception, which the shop swallows: only a request that ends here writes nothing.
 * The checkout server's own change may be as late, if PHP was frozen or another module was slow. Its Tillkit_Stale_Write is not swallowed.
 */

defined( '_PS_VERSION_' ) || exit;

/** How long a change waits for a payment that is being recorded. */
const TILLKIT_STATUS_LOCK_SECONDS = 10;

/**
 * For the hook actionOrderStatusUpdate, which runs before the shop writes. The lock is held until the request ends, because the shop writes after
 * this function.
 *
 * @param int $from The state that the shop read.
 * @throws Tillkit_Stale_Write
 * @return string Why the change must not go on; empty if it may.
 */
function tillkit_refuse_stale_state( int $order_id, int $from ): string {
	$order = tillkit_order_of_shop_order( $order_id );
	if ( null === $order ) {
		return '';
	}
	if ( tillkit_is_checkout_server_write() ) {
		tillkit_assert_lock( $order->id() );
		return '';
	}
	if ( ! tillkit_acquire_lock( 'order ' . $order->id(), TILLKIT_STATUS_LOCK_SECONDS ) ) {
		return tillkit_text( 'A payment of this order is being recorded. Reload the page and look at the order again.' );
	}
	$now = tillkit_fresh_order( (int) $order->id() )->states()[ $order_id ] ?? 0;
	return $now === $from ? '' : tillkit_text( 'The order has changed since this page was loaded, so nothing was changed. Look at the order again.' );
}

/** Who set the order to a paid state, and when. The checkout server then does not mistake it for a payment of its own. */
function tillkit_record_owner_decision( int $order_id, bool $is_paid_state, int $now ): void {
	if ( tillkit_is_checkout_server_write() ) {
		return;
	}
	$order = tillkit_order_of_shop_order( $order_id );
	// A payment that has claimed the order, and whose call died before it set a state, comes after the owner.
	if ( null !== $order && ! $order->is_recorded() && ! tillkit_is_in_paid_state( $order ) ) {
		$order = tillkit_drop_claim( $order );
	}
	if ( null === $order || '' !== tillkit_own_payment( $order ) ) {
		return;
	}
	$set_paid = array(
		'by' => tillkit_host()->actor(),
		'at' => $now,
	);
	$order->write_facts( array( 'set_paid' => $is_paid_state ? tillkit_json( $set_paid ) : '' ) );
	if ( $is_paid_state ) {
		tillkit_request_check( $order );
	}
}

/** Ends the request before the shop writes, and tells the owner why. */
function tillkit_end_stale_request( int $order_id, string $reason ): void {
	$context = Context::getContext();
	if ( null === $context->employee || ! $context->employee->id ) {
		tillkit_send_json( 409, array( 'message' => $reason ) );
	}
	try {
		$request = PrestaShop\PrestaShop\Adapter\SymfonyContainer::getInstance()->get( 'request_stack' )->getCurrentRequest();
		$request->getSession()->getFlashBag()->add( 'error', $reason );
	} catch ( Throwable $error ) {
		// A page of the old administration has no flash messages. The order is shown as it is.
		tillkit_log_foreign_error( $error );
	}
	Tools::redirectAdmin( tillkit_order_page_url( $order_id ) );
}

function tillkit_order_page_url( int $order_id ): string {
	return (string) Context::getContext()->link->getAdminLink( 'AdminOrders', true, array(), array( 'id_order' => $order_id, 'vieworder' => 1 ) );
}
