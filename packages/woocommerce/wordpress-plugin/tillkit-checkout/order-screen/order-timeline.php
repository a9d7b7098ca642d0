<?php
/** Renders the checkout server's answer for the owner. All texts in it are untrusted and are escaped. */

defined( 'ABSPATH' ) || exit;

function tillkit_order_timeline_html( array $answer ): string {
	$headline = tillkit_text_field( $answer, 'headline' );
	$class    = true === ( $answer['attention'] ?? false ) ? 'notice notice-warning inline' : 'tillkit-headline';
	$html     = '<div class="' . esc_attr( $class ) . '"><p><strong>' . esc_html( $headline ) . '</strong></p></div>';
	$html    .= tillkit_list_html( __( 'Payments', 'tillkit-checkout' ), array_map( 'tillkit_payment_line', tillkit_list_field( $answer, 'payments' ) ) );
	$html    .= tillkit_list_html( __( 'Refunds', 'tillkit-checkout' ), array_map( 'tillkit_refund_line', tillkit_list_field( $answer, 'refunds' ) ) );
	$html    .= tillkit_list_html( __( 'Timeline', 'tillkit-checkout' ), array_map( 'tillkit_timeline_line', tillkit_list_field( $answer, 'timeline' ) ) );
	return $html;
}

function tillkit_warning_html( WP_Error $error ): string {
	return '<div class="notice notice-warning inline"><p>' . esc_html( $error->get_error_message() ) . '</p></div>';
}

/** @param string[] $lines Plain text. */
function tillkit_list_html( string $title, array $lines ): string {
	if ( array() === $lines ) {
		return '';
	}
	$items = '';
	foreach ( $lines as $line ) {
		$items .= '<li>' . esc_html( $line ) . '</li>';
	}
	return '<h4>' . esc_html( $title ) . '</h4><ul>' . $items . '</ul>';
}

function tillkit_payment_line( array $payment ): string {
	$test  = 'test' === tillkit_text_field( $payment, 'environment' ) ? __( 'test', 'tillkit-checkout' ) : '';
	$parts = array(
		tillkit_amount_text( $payment ),
		tillkit_state_label( tillkit_payment_state( $payment ) ),
		$test,
		tillkit_text_field( $payment, 'transaction' ),
		tillkit_text_field( $payment, 'difference' ),
	);
	return implode( ' · ', array_filter( $parts, 'strlen' ) );
}

function tillkit_refund_line( array $refund ): string {
	$parts = array( tillkit_amount_text( $refund ), tillkit_state_label( tillkit_text_field( $refund, 'state' ) ), tillkit_text_field( $refund, 'refund' ) );
	return implode( ' · ', array_filter( $parts, 'strlen' ) );
}

function tillkit_timeline_line( array $entry ): string {
	$at    = is_int( $entry['at'] ?? null ) ? (string) wp_date( get_option( 'date_format' ) . ' H:i:s', $entry['at'] ) : '';
	$parts = array( $at, tillkit_text_field( $entry, 'actor' ), tillkit_text_field( $entry, 'text' ) );
	return implode( ' · ', array_filter( $parts, 'strlen' ) );
}

/** Unknown states of a newer checkout server are shown unchanged. */
function tillkit_state_label( string $state ): string {
	$labels = array(
		'intent'               => __( 'started', 'tillkit-checkout' ),
		'open'                 => __( 'open', 'tillkit-checkout' ),
		'superseded'           => __( 'replaced by a newer payment', 'tillkit-checkout' ),
		'expired'              => __( 'expired', 'tillkit-checkout' ),
		'closed'               => __( 'not completed', 'tillkit-checkout' ),
		'verified'             => __( 'paid, not yet recorded on the order', 'tillkit-checkout' ),
		'recorded'             => __( 'paid', 'tillkit-checkout' ),
		'review'               => __( 'paid, under review', 'tillkit-checkout' ),
		'review without money' => __( 'under review, no money received yet', 'tillkit-checkout' ),
		'duplicate'            => __( 'duplicate payment, refund it', 'tillkit-checkout' ),
		'refunding'            => __( 'refund in progress', 'tillkit-checkout' ),
		'refunded'             => __( 'refunded', 'tillkit-checkout' ),
		'completed'            => __( 'refunded', 'tillkit-checkout' ),
		'pending'              => __( 'in progress', 'tillkit-checkout' ),
		'unknown'              => __( 'sent, not yet confirmed', 'tillkit-checkout' ),
		'failed'               => __( 'failed', 'tillkit-checkout' ),
	);
	return $labels[ $state ] ?? $state;
}

function tillkit_amount_text( array $row ): string {
	return isset( $row['amount'] ) && is_array( $row['amount'] ) ? tillkit_text_field( $row['amount'], 'text' ) : '';
}

function tillkit_text_field( array $row, string $name ): string {
	return isset( $row[ $name ] ) && is_string( $row[ $name ] ) ? $row[ $name ] : '';
}

/** @return array<int,array> */
function tillkit_list_field( array $answer, string $name ): array {
	return array_values( array_filter( (array) ( $answer[ $name ] ?? array() ), 'is_array' ) );
}
