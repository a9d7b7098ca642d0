<?php
/**
 * What WooCommerce does after it has saved an order as paid: it reduces the stock and sends e-mails. PHP that dies in between, or an error
 * of another plugin, leaves a paid order without them. The order is therefore marked as unfinished until they are done, and each of them
 * is repeated by means that WooCommerce itself may repeat.
 */

defined( 'ABSPATH' ) || exit;

/** The payment and how often its repair was begun, with a blank between, on an order that is being marked paid. */
const TILLKIT_UNFINISHED_META = '_tillkit_unfinished';

/** The payment of which the customer got the e-mail. Only on an unfinished order: WooCommerce keeps such a mark for the owner's only. */
const TILLKIT_CUSTOMER_EMAIL_META = '_tillkit_customer_email';

/** A repair may die as its payment did, for instance by the same plugin. */
const TILLKIT_MAX_REPAIRS = 3;

/** The e-mail to the customer for each paid status: its id, and the name of its class in WooCommerce's mailer. */
const TILLKIT_CUSTOMER_EMAILS = array(
	'processing' => array( 'customer_processing_order', 'WC_Email_Customer_Processing_Order' ),
	'completed'  => array( 'customer_completed_order', 'WC_Email_Customer_Completed_Order' ),
);

/**
 * Lets WooCommerce complete the order. An error of another plugin ends neither this call nor the payment.
 *
 * @return bool Whether everything that follows a payment ran to its end.
 * @throws Tillkit_Stale_Write
 */
function tillkit_complete_payment( WC_Order $order, string $transaction ): bool {
	$has_changed = false;
	$listen      = static function ( $order_id ) use ( $order, &$has_changed ): void {
		$has_changed = $has_changed || (int) $order_id === $order->get_id();
	};
	// WooCommerce fires this action after all others of a change of the status, or never if one of them throws an exception.
	add_action( 'woocommerce_order_status_changed', $listen, PHP_INT_MAX );
	$complete = static function () use ( $order, $transaction ): bool {
		return true === $order->payment_complete( $transaction );
	};
	try {
		return tillkit_save_unless_stale( $order, $order->get_status(), $complete ) && $has_changed;
	} catch ( Tillkit_Stale_Write $stale ) {
		throw $stale;
	} catch ( Throwable $error ) {
		tillkit_log_foreign_error( $error );
		return false;
	} finally {
		remove_action( 'woocommerce_order_status_changed', $listen, PHP_INT_MAX );
	}
}

/**
 * Ends a payment that is recorded: repairs what did not run to its end, and adds one note that says so.
 *
 * @param array $request From tillkit_read_order_fields().
 */
function tillkit_finish_payment( WC_Order $order, array $request, bool $is_whole ): void {
	$note    = tillkit_paid_note( $request );
	$repairs = $is_whole ? array() : tillkit_repair_payment( $order, $request['payment'] );
	$order   = $is_whole ? $order : ( tillkit_fresh_order( $order->get_id() ) ?? $order );
	tillkit_add_note_once( $order, 'paid ' . $request['payment'], trim( $note . ' ' . tillkit_repairs_text( $repairs ) ) );
	if ( in_array( false, $repairs, true ) ) {
		$order->update_meta_data( '_tillkit_attention', 'payment_unfinished' );
		delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
	}
	$order->delete_meta_data( TILLKIT_UNFINISHED_META );
	$order->delete_meta_data( TILLKIT_CUSTOMER_EMAIL_META );
	$order->save_meta_data();
}

/** Finishes a payment that was recorded by a call which died. Does nothing for a payment that was finished. */
function tillkit_finish_interrupted_payment( WC_Order $order, array $request ): void {
	if ( 0 === strpos( (string) $order->get_meta( TILLKIT_UNFINISHED_META ), $request['payment'] . ' ' ) ) {
		tillkit_finish_payment( $order, $request, false );
	}
}

/** @return array<string,bool> By the name of each step that was missing: whether it is done now. */
function tillkit_repair_payment( WC_Order $order, string $payment ): array {
	$tries = 1 + (int) substr( (string) $order->get_meta( TILLKIT_UNFINISHED_META ), strlen( $payment ) );
	$order->update_meta_data( TILLKIT_UNFINISHED_META, "$payment $tries" );
	$order->save_meta_data();
	$repairs = array();
	foreach ( array( 'stock', 'owner_email', 'customer_email' ) as $step ) {
		if ( tillkit_is_step_done( $order, $step ) ) {
			continue;
		}
		$is_given_up = $tries > TILLKIT_MAX_REPAIRS;
		if ( ! $is_given_up && ! tillkit_is_step_wanted( $order, $step ) ) {
			continue;
		}
		if ( ! $is_given_up ) {
			tillkit_repeat_step( $order, $step );
			$order = tillkit_fresh_order( $order->get_id() ) ?? $order;
		}
		$repairs[ $step ] = tillkit_is_step_done( $order, $step );
	}
	return $repairs;
}

/** Reads only what is stored, and calls no other plugin. */
function tillkit_is_step_done( WC_Order $order, string $step ): bool {
	if ( 'stock' === $step ) {
		return (bool) $order->get_data_store()->get_stock_reduced( $order->get_id() );
	}
	return 'owner_email' === $step
		? (bool) $order->get_new_order_email_sent()
		: (string) $order->get_meta( TILLKIT_CUSTOMER_EMAIL_META ) === tillkit_own_payment( tillkit_order( $order ) );
}

/** False for a step that this shop leaves out, such as an e-mail that its owner has switched off. */
function tillkit_is_step_wanted( WC_Order $order, string $step ): bool {
	if ( 'stock' === $step ) {
		return (bool) apply_filters( 'woocommerce_payment_complete_reduce_order_stock', true, $order->get_id() ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- WooCommerce's own filter.
	}
	$email = tillkit_email_of_step( $order, $step );
	return null !== $email && $email->is_enabled();
}

function tillkit_repeat_step( WC_Order $order, string $step ): void {
	try {
		if ( 'stock' === $step ) {
			wc_maybe_reduce_stock_levels( $order->get_id() );
		} else {
			tillkit_email_of_step( $order, $step )->trigger( $order->get_id() );
		}
	} catch ( Throwable $error ) {
		tillkit_log_foreign_error( $error );
	}
}

/** Null if the shop has no such e-mail, for instance for a status of another plugin. */
function tillkit_email_of_step( WC_Order $order, string $step ): ?WC_Email {
	$class = 'owner_email' === $step ? 'WC_Email_New_Order' : ( TILLKIT_CUSTOMER_EMAILS[ $order->get_status() ][1] ?? '' );
	$email = WC()->mailer()->get_emails()[ $class ] ?? null;
	return $email instanceof WC_Email && is_callable( array( $email, 'trigger' ) ) ? $email : null;
}

/** Follows WooCommerce's mailer, also in the background process that sends e-mails later. */
function tillkit_remember_customer_email( $was_sent, $email_id, $email ): void {
	$order = $email instanceof WC_Email ? $email->object : null;
	if ( ! $was_sent || ! in_array( $email_id, array_column( TILLKIT_CUSTOMER_EMAILS, 0 ), true ) || ! $order instanceof WC_Order ) {
		return;
	}
	if ( '' !== (string) $order->get_meta( TILLKIT_UNFINISHED_META ) ) {
		$order->update_meta_data( TILLKIT_CUSTOMER_EMAIL_META, tillkit_own_payment( tillkit_order( $order ) ) );
		$order->save_meta_data();
	}
}

/** @param array<string,bool> $repairs From tillkit_repair_payment(). */
function tillkit_repairs_text( array $repairs ): string {
	$names = array(
		'stock'          => __( 'stock', 'tillkit-checkout' ),
		'owner_email'    => __( 'the e-mail to you', 'tillkit-checkout' ),
		'customer_email' => __( 'the e-mail to the customer', 'tillkit-checkout' ),
	);
	$list  = static function ( bool $is_done ) use ( $repairs, $names ): string {
		return implode( ', ', array_intersect_key( $names, array_flip( array_keys( $repairs, $is_done, true ) ) ) );
	};
	$texts = array();
	if ( in_array( true, $repairs, true ) ) {
		/* translators: %s: a list, such as "stock, the e-mail to the customer" */
		$texts[] = sprintf( __( 'The shop was interrupted while the order was set to paid. Done now: %s.', 'tillkit-checkout' ), $list( true ) );
	}
	if ( in_array( false, $repairs, true ) ) {
		/* translators: %s: a list, such as "stock, the e-mail to the customer" */
		$texts[] = sprintf( __( 'The shop could not finish after the payment. See to it yourself: %s.', 'tillkit-checkout' ), $list( false ) );
	}
	return implode( ' ', $texts );
}
