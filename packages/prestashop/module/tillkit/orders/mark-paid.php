<?php
/** Marks an order paid once. No other file marks orders paid. */

defined( '_PS_VERSION_' ) || exit;

/**
 * The caller holds the lock of the order until the answer is made.
 *
 * @param array $request From tillkit_read_order_fields().
 * @return array|Tillkit_Error The outcome: recorded, already, other-payment, not-payable or gone.
 */
function tillkit_mark_paid( array $request, int $now ) {
	$order = tillkit_order_of_call( $request );
	if ( null === $order ) {
		return tillkit_mark_paid_outcome( 'gone', $request, null );
	}
	$paid_by     = tillkit_paid_by( $order );
	$is_ours     = $paid_by === $request['payment'];
	$is_accepted = $request['already_paid'] && in_array( $paid_by, array( 'owner', 'unclear' ), true );
	$is_given_up = tillkit_is_given_up( $order, $request['returned'] );
	if ( $is_ours && $order->is_recorded() ) {
		return tillkit_mark_paid_outcome( 'already', $request, $order );
	}
	if ( null !== $paid_by && ! $is_ours && ! $is_accepted && ! $is_given_up ) {
		return tillkit_mark_paid_outcome( 'other-payment', $request, $order );
	}
	if ( tillkit_has_newer_writer( $order->fact( 'fence' ), $request['order'], $request['fence'], $now ) ) {
		return tillkit_older_writer();
	}
	if ( $is_given_up ) {
		tillkit_take_claim( $order, $request['payment'] );
		return tillkit_mark_paid( array( 'returned' => array() ) + $request, $now );
	}
	// A call that died after it had claimed the order may have set its states already. Or the owner has closed the order since.
	$is_begun   = $is_ours && tillkit_is_in_paid_state( $order );
	$is_payable = $is_accepted || $is_begun || tillkit_is_payable( $order );
	if ( $is_ours && ! $is_payable ) {
		$order = tillkit_drop_claim( $order );
	}
	if ( ! $is_payable || ! tillkit_total_matches( $order, $request ) ) {
		return tillkit_mark_paid_outcome( 'not-payable', $request, $order );
	}
	if ( $request['already_paid'] && ! $is_accepted && ! $is_ours ) {
		return tillkit_not_set_to_paid();
	}
	return tillkit_record_payment( $order, $request, $now );
}

/** @return array|Tillkit_Error */
function tillkit_record_payment( Tillkit_Prestashop_Order $order, array $request, int $now ) {
	if ( ! tillkit_claim_order( $order, $request ) ) {
		return tillkit_mark_paid_outcome( 'other-payment', $request, tillkit_fresh_order( (int) $order->id() ) );
	}
	$order = tillkit_fresh_order( (int) $order->id() );
	$order->write_facts( array( 'fence' => tillkit_write_fence( $order->id(), $request['fence'], $now ) ) );
	tillkit_remember_environment( $request['environment'] );
	if ( ! $request['already_paid'] ) {
		// The shop numbers invoices without a lock, and two orders that are paid at once would get one number.
		$set = static function () use ( $order, $request ): bool {
			tillkit_assert_lock( $order->id() );
			tillkit_add_payment_row( $order, $request );
			tillkit_set_paid_states( $order );
			return true;
		};
		if ( null === tillkit_with_lock( 'invoices', TILLKIT_LOCK_WAIT_SECONDS, $set ) ) {
			return tillkit_busy();
		}
	}
	$saved = tillkit_fresh_order( (int) $order->id() );
	if ( null === $saved || ! tillkit_has_been_paid( $saved ) || ( ! $request['already_paid'] && ! tillkit_has_payment_row( $saved ) ) ) {
		return new Tillkit_Error( 'tillkit_not_recorded', tillkit_text( 'The shop did not mark the order paid: check its logs.' ), 500 );
	}
	tillkit_store_note( (int) $saved->id(), tillkit_paid_note( $request ), 'paid ' . $request['payment'] );
	tillkit_release_withheld( $saved->cart_id(), tillkit_method_text( $request['provider'] ) );
	// Last: a call that dies before this is ended by the next one, which finds each step done or does it.
	tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . 'tillkit_order` SET `is_recorded` = 1 WHERE `payment_id` = ' . tillkit_sql( $request['payment'] ) . ' AND `id_order` = ' . (int) $order->id() );
	return tillkit_mark_paid_outcome( 'recorded', $request, tillkit_fresh_order( (int) $order->id() ) );
}

/**
 * One statement that only one of several processes wins, also where the database has lost the lock. The same payment may claim its order again:
 * its first call may have died. The transaction by which its row is known stays the one that it was claimed with.
 */
function tillkit_claim_order( Tillkit_Prestashop_Order $order, array $request ): bool {
	$payment = tillkit_sql( $request['payment'] );
	$row     = '`' . _DB_PREFIX_ . 'tillkit_order`';
	$is_free = "(`payment_id` IS NULL OR (`payment_id` = $payment AND `transaction_id` = ''))";
	tillkit_change_rows( "UPDATE $row SET `payment_id` = $payment, `transaction_id` = " . tillkit_sql( $request['transaction'] ) . " WHERE $is_free AND `id_order` = " . (int) $order->id() );
	return array() !== tillkit_select( "SELECT `id_order` FROM $row WHERE `payment_id` = $payment AND `id_order` = " . (int) $order->id() );
}

/** A payment whose call died before it set a state claims its order again, if the order can still be paid. */
function tillkit_drop_claim( Tillkit_Prestashop_Order $order ): Tillkit_Prestashop_Order {
	tillkit_change_rows( 'UPDATE `' . _DB_PREFIX_ . "tillkit_order` SET `payment_id` = NULL, `transaction_id` = '' WHERE `is_recorded` = 0 AND `id_order` = " . (int) $order->id() );
	return tillkit_fresh_order( (int) $order->id() );
}

/**
 * Before the state: a paid state adds a row for whatever is missing. A row belongs to the reference, so one row pays all orders of the cart.
 */
function tillkit_add_payment_row( Tillkit_Prestashop_Order $order, array $request ): void {
	if ( ! tillkit_has_payment_row( $order ) ) {
		tillkit_load_order( (int) $order->id() )->addOrderPayment( $request['amount'], tillkit_method_text( $request['provider'] ), $order->transaction() );
	}
}

/** Whether the shop has a row of the payment that has claimed the order. */
function tillkit_has_payment_row( Tillkit_Prestashop_Order $order ): bool {
	return array() !== tillkit_select( 'SELECT `id_order_payment` FROM `' . _DB_PREFIX_ . 'order_payment` WHERE ' . tillkit_is_row_of( $order ) );
}

/** The condition of those rows. */
function tillkit_is_row_of( Tillkit_Prestashop_Order $order ): string {
	return "`transaction_id` <> '' AND `transaction_id` = " . tillkit_sql( $order->transaction() ) . ' AND `order_reference` = ' . tillkit_sql( $order->number() );
}

function tillkit_set_paid_states( Tillkit_Prestashop_Order $order ): void {
	$paid = (int) Configuration::get( 'PS_OS_PAYMENT' );
	tillkit_set_states( $order, 'waiting', $paid );
	tillkit_set_states( $order, 'review', $paid );
	foreach ( tillkit_fresh_order( (int) $order->id() )->states() as $id => $state ) {
		if ( $state === $paid && ! tillkit_has_history( $id, $paid ) ) {
			tillkit_add_history( $id, $paid );
		}
	}
}

/** Sets the orders of the cart that are in one of our states to another. An error of another module ends neither this call nor the payment. */
function tillkit_set_states( Tillkit_Prestashop_Order $order, string $from, int $to ): void {
	foreach ( array_keys( tillkit_fresh_order( (int) $order->id() )->states(), tillkit_state( $from ), true ) as $id ) {
		try {
			tillkit_run_as_checkout_server(
				static function () use ( $id, $to ): void {
					tillkit_load_order( $id )->setCurrentState( $to );
				}
			);
		} catch ( Tillkit_Stale_Write $stale ) {
			throw $stale;
		} catch ( Throwable $error ) {
			tillkit_log_foreign_error( $error );
		}
	}
}

function tillkit_has_history( int $order_id, int $state ): bool {
	return array() !== tillkit_select( 'SELECT `id_order` FROM `' . _DB_PREFIX_ . "order_history` WHERE `id_order` = $order_id AND `id_order_state` = $state" );
}

/**
 * The last step of a new state, with its e-mail: the shop has not come to it, because another module threw an error after the state was written, or
 * because the request died.
 */
function tillkit_add_history( int $order_id, int $state ): void {
	$history                 = new OrderHistory();
	$history->id_order       = $order_id;
	$history->id_employee    = 0;
	$history->id_order_state = $state;
	try {
		$history->addWithemail();
	} catch ( Throwable $error ) {
		tillkit_log_foreign_error( $error );
	}
}

/** The shop keeps the objects that it has read in this request, and saves what it then knew. */
function tillkit_load_order( int $id ): Order {
	Cache::clean( "objectmodel_Order_{$id}_*" );
	return new Order( $id );
}

function tillkit_mark_paid_outcome( string $outcome, array $request, ?Tillkit_Prestashop_Order $order ): array {
	$shown = array(
		'status'    => null === $order ? null : $order->status(),
		'date_paid' => null === $order ? null : tillkit_paid_at( $order ),
		'paid_by'   => null === $order ? null : tillkit_paid_by( $order ),
	);
	return tillkit_mark_paid_answer( $outcome, $request, $shown );
}
