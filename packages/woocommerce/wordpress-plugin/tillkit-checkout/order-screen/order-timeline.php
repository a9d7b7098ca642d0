<?php
/** Renders the checkout server's answer for the owner. All texts in it are untrusted and are escaped. */

defined( 'ABSPATH' ) || exit;

/** @param bool $is_paid Whether the order is set to paid. */
function tillkit_order_timeline_html( array $answer, bool $is_paid = false ): string {
	$class = true === ( $answer['attention'] ?? false ) ? 'notice notice-warning inline' : 'tillkit-headline';
	$html  = '<div class="' . esc_attr( $class ) . '"><p><strong>' . esc_html( tillkit_text_field( $answer, 'headline' ) ) . '</strong></p></div>';
	$cards    = '';
	$payments = tillkit_list_field( $answer, 'payments' );
	foreach ( $payments as $payment ) {
		$cards .= tillkit_payment_card_html( $payment, $is_paid );
	}
	$html   .= tillkit_section_html( __( 'Payments', 'tillkit-checkout' ), $cards );
	$refunds = '';
	foreach ( tillkit_list_field( $answer, 'refunds' ) as $refund ) {
		$refunds .= tillkit_refund_card_html( $refund, $payments );
	}
	$html   .= tillkit_section_html( __( 'Refunds', 'tillkit-checkout' ), $refunds );
	return $html . tillkit_timeline_html( tillkit_list_field( $answer, 'timeline' ) );
}

function tillkit_warning_html( WP_Error $error ): string {
	return '<div class="notice notice-warning inline"><p>' . esc_html( $error->get_error_message() ) . '</p></div>';
}

/** @param string $items Escaped list items. */
function tillkit_section_html( string $title, string $items ): string {
	return '' === $items ? '' : '<h4>' . esc_html( $title ) . '</h4><ul>' . $items . '</ul>';
}

/** The date is shown once for each day. */
function tillkit_timeline_html( array $entries ): string {
	$html      = '';
	$shown_day = null;
	foreach ( $entries as $entry ) {
		$at  = is_int( $entry['at'] ?? null ) ? $entry['at'] : null;
		$day = null === $at ? '' : (string) wp_date( get_option( 'date_format' ), $at );
		if ( $day !== $shown_day ) {
			$html     .= ( null === $shown_day ? '' : '</ul>' ) . '<h5>' . esc_html( $day ) . '</h5><ul>';
			$shown_day = $day;
		}
		$html .= tillkit_timeline_item_html( null === $at ? '' : (string) wp_date( 'H:i', $at ), $entry );
	}
	return null === $shown_day ? '' : '<h4>' . esc_html__( 'Timeline', 'tillkit-checkout' ) . '</h4>' . $html . '</ul>';
}

function tillkit_timeline_item_html( string $time, array $entry ): string {
	$parts = array( $time, tillkit_text_field( $entry, 'actor' ), tillkit_text_field( $entry, 'text' ) );
	return '<li>' . esc_html( implode( ' · ', array_filter( $parts, 'strlen' ) ) ) . '</li>';
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
		'review_without_money' => __( 'under review, no money received yet', 'tillkit-checkout' ),
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
