<?php
/** The companion's answer as the owner reads it. All of it is plain text from outside: everything is escaped. */

defined( 'ABSPATH' ) || exit;

function tillkit_order_story_html( array $answer ): string {
	$headline = tillkit_text_of( $answer, 'headline' );
	$class    = true === ( $answer['attention'] ?? false ) ? 'notice notice-warning inline' : 'tillkit-headline';
	$html     = '<div class="' . esc_attr( $class ) . '"><p><strong>' . esc_html( $headline ) . '</strong></p></div>';
	$html    .= tillkit_list_html( __( 'Payments', 'tillkit-checkout' ), array_map( 'tillkit_payment_line', tillkit_rows_of( $answer, 'payments' ) ) );
	$html    .= tillkit_list_html( __( 'Refunds', 'tillkit-checkout' ), array_map( 'tillkit_refund_line', tillkit_rows_of( $answer, 'refunds' ) ) );
	$html    .= tillkit_list_html( __( 'History', 'tillkit-checkout' ), array_map( 'tillkit_history_line', tillkit_rows_of( $answer, 'history' ) ) );
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
	$test = 'test' === tillkit_text_of( $payment, 'environment' ) ? __( 'test', 'tillkit-checkout' ) : '';
	$said = array(
		tillkit_amount_text( $payment ),
		tillkit_state_word( tillkit_wait_row( $payment ) ),
		$test,
		tillkit_text_of( $payment, 'transaction' ),
		tillkit_text_of( $payment, 'difference' ),
	);
	return implode( ' · ', array_filter( $said, 'strlen' ) );
}

function tillkit_refund_line( array $refund ): string {
	$said = array( tillkit_amount_text( $refund ), tillkit_state_word( tillkit_text_of( $refund, 'state' ) ), tillkit_text_of( $refund, 'refund' ) );
	return implode( ' · ', array_filter( $said, 'strlen' ) );
}

function tillkit_history_line( array $line ): string {
	$at   = is_int( $line['at'] ?? null ) ? (string) wp_date( get_option( 'date_format' ) . ' H:i:s', $line['at'] ) : '';
	$said = array( $at, tillkit_text_of( $line, 'who' ), tillkit_text_of( $line, 'text' ) );
	return implode( ' · ', array_filter( $said, 'strlen' ) );
}

/** A state that is new to this version is shown as it is. */
function tillkit_state_word( string $state ): string {
	$words = array(
		'intent'               => __( 'begun', 'tillkit-checkout' ),
		'open'                 => __( 'open', 'tillkit-checkout' ),
		'superseded'           => __( 'replaced by a newer one', 'tillkit-checkout' ),
		'expired'              => __( 'expired', 'tillkit-checkout' ),
		'closed'               => __( 'not completed', 'tillkit-checkout' ),
		'verified'             => __( 'paid, the shop is being told', 'tillkit-checkout' ),
		'recorded'             => __( 'paid', 'tillkit-checkout' ),
		'review'               => __( 'paid with a difference: look at it', 'tillkit-checkout' ),
		'review without money' => __( 'looked into: no money was seen yet', 'tillkit-checkout' ),
		'duplicate'            => __( 'paid a second time: give it back', 'tillkit-checkout' ),
		'refunding'            => __( 'being given back', 'tillkit-checkout' ),
		'refunded'             => __( 'given back', 'tillkit-checkout' ),
		'completed'            => __( 'given back', 'tillkit-checkout' ),
		'pending'              => __( 'under way', 'tillkit-checkout' ),
		'unknown'              => __( 'sent, not confirmed yet', 'tillkit-checkout' ),
		'failed'               => __( 'failed', 'tillkit-checkout' ),
	);
	return $words[ $state ] ?? $state;
}

function tillkit_amount_text( array $row ): string {
	return isset( $row['amount'] ) && is_array( $row['amount'] ) ? tillkit_text_of( $row['amount'], 'text' ) : '';
}

function tillkit_text_of( array $row, string $name ): string {
	return isset( $row[ $name ] ) && is_string( $row[ $name ] ) ? $row[ $name ] : '';
}

/** @return array<int,array> */
function tillkit_rows_of( array $answer, string $name ): array {
	return array_values( array_filter( (array) ( $answer[ $name ] ?? array() ), 'is_array' ) );
}
