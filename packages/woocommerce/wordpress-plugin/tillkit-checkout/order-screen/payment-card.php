<?php
/** One payment in the order box: amount, state and difference, the decisions about it, and its ids in a folded part. */

defined( 'ABSPATH' ) || exit;

/** @param bool $is_paid Whether the order is set to paid. */
function tillkit_payment_card_html( array $payment, bool $is_paid ): string {
	$html       = '<li><p>' . esc_html( tillkit_payment_line( $payment ) ) . '</p>';
	$difference = tillkit_text_field( $payment, 'difference' );
	if ( '' !== $difference ) {
		$html .= '<p>' . esc_html( $difference ) . '</p>';
	}
	// Where the money is, as the checkout server says it.
	foreach ( array( 'lost', 'sums' ) as $field ) {
		$text  = tillkit_text_field( $payment, $field );
		$html .= '' === $text ? '' : '<p>' . esc_html( $text ) . '</p>';
	}
	if ( isset( $payment['decision'] ) && is_array( $payment['decision'] ) ) {
		$html .= tillkit_decision_forms_html( $payment, $is_paid );
	}
	$ids = array(
		__( 'Transaction', 'tillkit-checkout' ) => tillkit_text_field( $payment, 'transaction' ),
		__( 'Payment', 'tillkit-checkout' )     => tillkit_text_field( $payment, 'payment' ),
		__( 'Session', 'tillkit-checkout' )     => tillkit_text_field( $payment, 'session' ),
	);
	$links = array(
		tillkit_text_field( $payment, 'operators_url' ) => __( 'Open in the operators’ pages', 'tillkit-checkout' ),
		tillkit_dashboard_url( tillkit_text_field( $payment, 'transaction' ) ) => __( 'Open in the service’s dashboard', 'tillkit-checkout' ),
	);
	return $html . tillkit_ids_html( $ids ) . tillkit_links_html( $links ) . '</li>';
}

function tillkit_payment_line( array $payment ): string {
	$test  = 'test' === tillkit_text_field( $payment, 'environment' ) ? __( 'test', 'tillkit-checkout' ) : '';
	$state = tillkit_state_label( tillkit_payment_state( $payment ) );
	return implode( ' · ', array_filter( array( tillkit_amount_text( $payment ), $state, $test ), 'strlen' ) );
}

/** @param array $payments The payments of the same answer: a decision about the refund names what they showed. */
function tillkit_refund_card_html( array $refund, array $payments ): string {
	$line = implode( ' · ', array_filter( array( tillkit_amount_text( $refund ), tillkit_state_label( tillkit_text_field( $refund, 'state' ) ) ), 'strlen' ) );
	$ids  = array( __( 'Refund', 'tillkit-checkout' ) => tillkit_text_field( $refund, 'refund' ) );
	return '<li><p>' . esc_html( $line ) . '</p>' . tillkit_refund_outcome_html( $refund, $payments ) . tillkit_ids_html( $ids ) . '</li>';
}

/** @param array<string,string> $ids Title => id. */
function tillkit_ids_html( array $ids ): string {
	$rows = '';
	foreach ( array_filter( $ids, 'strlen' ) as $title => $id ) {
		$rows .= '<dt>' . esc_html( $title ) . '</dt><dd><code>' . esc_html( $id ) . '</code></dd>';
	}
	return '' === $rows ? '' : '<details class="tillkit-ids"><summary>' . esc_html__( 'Details', 'tillkit-checkout' ) . '</summary><dl>' . $rows . '</dl></details>';
}
