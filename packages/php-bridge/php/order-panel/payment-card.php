<?php
/** One payment in the order box: amount, state and difference, the decisions about it, and its ids in a folded part. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @param bool $is_paid Whether the order is set to paid. */
function tillkit_payment_card_html( array $payment, bool $is_paid ): string {
	$html       = '<li><p>' . tillkit_html( tillkit_payment_line( $payment ) ) . '</p>';
	$difference = tillkit_text_field( $payment, 'difference' );
	if ( '' !== $difference ) {
		$html .= '<p>' . tillkit_html( $difference ) . '</p>';
	}
	// Where the money is, as the checkout server says it.
	foreach ( array( 'lost', 'sums' ) as $field ) {
		$text  = tillkit_text_field( $payment, $field );
		$html .= '' === $text ? '' : '<p>' . tillkit_html( $text ) . '</p>';
	}
	if ( isset( $payment['decision'] ) && is_array( $payment['decision'] ) ) {
		$html .= tillkit_decision_forms_html( $payment, $is_paid );
	}
	$ids = array(
		tillkit_text( 'Transaction' ) => tillkit_text_field( $payment, 'transaction' ),
		tillkit_text( 'Payment' )     => tillkit_text_field( $payment, 'payment' ),
		tillkit_text( 'Session' )     => tillkit_text_field( $payment, 'session' ),
	);
	$links = array(
		tillkit_text_field( $payment, 'operators_url' ) => tillkit_text( 'Open in the operators’ pages' ),
		tillkit_dashboard_url( tillkit_text_field( $payment, 'transaction' ) ) => tillkit_text( 'Open in the service’s dashboard' ),
	);
	return $html . tillkit_ids_html( $ids ) . tillkit_links_html( $links ) . '</li>';
}

function tillkit_payment_line( array $payment ): string {
	$test  = 'test' === tillkit_text_field( $payment, 'environment' ) ? tillkit_text( 'test' ) : '';
	$state = tillkit_state_label( tillkit_text_field( $payment, 'state' ) );
	return implode( ' · ', array_filter( array( tillkit_amount_text( $payment ), $state, $test ), 'strlen' ) );
}

/** @param array $payments The payments of the same answer: a decision about the refund names what they showed. */
function tillkit_refund_card_html( array $refund, array $payments ): string {
	$line = implode( ' · ', array_filter( array( tillkit_amount_text( $refund ), tillkit_state_label( tillkit_text_field( $refund, 'state' ) ) ), 'strlen' ) );
	$ids  = array( tillkit_text( 'Refund' ) => tillkit_text_field( $refund, 'refund' ) );
	return '<li><p>' . tillkit_html( $line ) . '</p>' . tillkit_refund_outcome_html( $refund, $payments ) . tillkit_ids_html( $ids ) . '</li>';
}

/** @param array<string,string> $ids Title => id. */
function tillkit_ids_html( array $ids ): string {
	$rows = '';
	foreach ( array_filter( $ids, 'strlen' ) as $title => $id ) {
		$rows .= '<dt>' . tillkit_html( $title ) . '</dt><dd><code>' . tillkit_html( $id ) . '</code></dd>';
	}
	return '' === $rows ? '' : '<details class="tillkit-ids"><summary>' . tillkit_html( tillkit_text( 'Details' ) ) . '</summary><dl>' . $rows . '</dl></details>';
}
