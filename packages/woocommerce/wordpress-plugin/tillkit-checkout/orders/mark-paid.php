<?php
/** Marks an order paid once. No other file marks orders paid. */

defined( 'ABSPATH' ) || exit;

/**
 * Payable also where WooCommerce says that no payment is needed. `on-hold`: orders under review, and orders that await a payment by
 * another method, such as a transfer.
 */
const TILLKIT_PAYABLE_STATUSES = array( 'pending', 'failed', 'on-hold', 'checkout-draft' );

/** WooCommerce's filters decide: other plugins add payable statuses of their own, such as that of an accepted quote. */
function tillkit_is_payable( WC_Order $order ): bool {
	return in_array( $order->get_status(), TILLKIT_PAYABLE_STATUSES, true ) || $order->needs_payment();
}

/**
 * The caller holds the lock of the order until the answer is made. With `already_paid` the owner has accepted the payment for an
 * order that was set to paid before: it is recorded on the order, which stays paid as it is.
 *
 * @param array $request From tillkit_read_order_fields().
 * @param int   $now     Seconds since 1970.
 * @return array|Tillkit_Error The outcome: recorded, already, other-payment, not-payable or gone.
 */
function tillkit_mark_paid( array $request, int $now ) {
	$order = tillkit_fresh_order( (int) $request['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $request['key'] ) ) {
		return tillkit_mark_paid_outcome( 'gone', $request, null );
	}
	$paid_by     = tillkit_paid_by( $order );
	$is_accepted = $request['already_paid'] && in_array( $paid_by, array( 'owner', 'unclear' ), true );
	if ( null !== $paid_by && ! $is_accepted ) {
		if ( tillkit_is_stale_hold( $order ) ) {
			tillkit_restore_owner_status( $order );
		}
		if ( $paid_by !== $request['payment'] ) {
			return tillkit_mark_paid_outcome( 'other-payment', $request, $order );
		}
		tillkit_finish_interrupted_payment( $order, $request );
		return tillkit_mark_paid_outcome( 'already', $request, $order );
	}
	if ( tillkit_has_newer_writer( (string) $order->get_meta( '_tillkit_fence' ), $request['order'], $request['fence'], $now ) ) {
		return tillkit_older_writer();
	}
	$is_payable = $is_accepted || tillkit_is_payable( $order );
	if ( ! $is_payable || ! tillkit_total_matches( tillkit_order( $order ), $request ) ) {
		return tillkit_mark_paid_outcome( 'not-payable', $request, $order );
	}
	if ( $is_accepted ) {
		return tillkit_record_accepted_payment( $order, $request, $now );
	}
	if ( $request['already_paid'] ) {
		return tillkit_not_set_to_paid();
	}
	return tillkit_record_payment( $order, $request, $now );
}

/**
 * Records an accepted payment on an order that the owner set to paid. Status, stock and e-mails do not change, except that a
 * stale hold is undone.
 */
function tillkit_record_accepted_payment( WC_Order $order, array $request, int $now ): array {
	$status = $order->get_status();
	tillkit_write_payment_meta( $order, $request, $now );
	$order->set_transaction_id( $request['transaction'] );
	if ( tillkit_is_stale_hold( $order ) ) {
		tillkit_restore_owner_status( $order );
	} else {
		$order->delete_meta_data( '_tillkit_hold' );
		tillkit_save_unless_stale( $order, $status, array( $order, 'save' ) );
	}
	/* translators: 1: the payment's id, 2: the transaction's id */
	$order->add_order_note( sprintf( __( 'Tillkit payment %1$s, transaction %2$s: accepted because you set the order to paid.', 'tillkit-checkout' ), $request['payment'], $request['transaction'] ) );
	$saved = tillkit_fresh_order( $order->get_id() );
	return tillkit_mark_paid_outcome( 'recorded', $request, $saved );
}

/** Sets the payment, its fence and the payment method. */
function tillkit_write_payment_meta( WC_Order $order, array $request, int $now ): void {
	$order->update_meta_data( '_tillkit_payment_id', $request['payment'] );
	$order->update_meta_data( TILLKIT_PAYMENT_ORDER_META, (string) $order->get_id() );
	$order->update_meta_data( '_tillkit_fence', tillkit_write_fence( $request['order'], $request['fence'], $now ) );
	$had_badge = tillkit_has_test_badge();
	tillkit_remember_environment( $request['environment'] );
	$ends_badge = $had_badge && ! tillkit_has_test_badge();
	// How the shopper paid, else the method that the shopper chose, except that a live order is not called a test.
	if ( '' !== $request['provider'] ) {
		$order->set_payment_method_title( tillkit_with_test_mark( tillkit_provider_name( $request['provider'] ) ) );
	} elseif ( $ends_badge || ! tillkit_is_own_method( (string) $order->get_payment_method() ) || '' === (string) $order->get_payment_method_title() ) {
		$order->set_payment_method_title( ( new Tillkit_Gateway() )->get_title() );
	}
	$order->set_payment_method( 'tillkit' );
}

/** @return array|Tillkit_Error */
function tillkit_record_payment( WC_Order $order, array $request, int $now ) {
	$status = $order->get_status();
	tillkit_write_payment_meta( $order, $request, $now );
	$order->update_meta_data( TILLKIT_UNFINISHED_META, $request['payment'] . ' 0' );
	$order->delete_meta_data( '_tillkit_hold' );
	// WooCommerce completes no payment of a draft, nor of an order whose status another plugin made payable only.
	$completable = apply_filters( 'woocommerce_valid_order_statuses_for_payment_complete', array( 'on-hold', 'pending', 'failed', 'cancelled' ), $order );
	if ( ! in_array( $order->get_status(), (array) $completable, true ) ) {
		$order->set_status( 'pending' );
	}
	tillkit_save_unless_stale( $order, $status, array( $order, 'save' ) );
	$is_whole = tillkit_complete_payment( $order, $request['transaction'] );

	$saved = tillkit_fresh_order( $order->get_id() );
	// The date of payment alone proves nothing: an order that was set to paid and back to unpaid keeps it.
	if ( null === $saved || ! $saved->get_date_paid() || in_array( $saved->get_status(), array( 'pending', 'failed' ), true ) ) {
		return new Tillkit_Error( 'tillkit_not_recorded', __( 'WooCommerce did not mark the order paid: check the logs of WooCommerce.', 'tillkit-checkout' ), 500 );
	}
	tillkit_finish_payment( $saved, $request, $is_whole );
	return tillkit_mark_paid_outcome( 'recorded', $request, $saved );
}

function tillkit_mark_paid_outcome( string $outcome, array $request, ?WC_Order $order ): array {
	$date  = $order ? $order->get_date_paid() : null;
	$shown = array(
		'status'    => $order ? $order->get_status() : null,
		'date_paid' => $date ? $date->getTimestamp() : null,
		'paid_by'   => $order ? tillkit_paid_by( $order ) : null,
	);
	return tillkit_mark_paid_answer( $outcome, $request, $shown );
}
